"""Lists all shortcodes, and finds what a report's text can show with them.

To add one, add its arguments to `perfpress.input.report.shortcodes`, its entry to the module of its
kind, and a template of its name in `layouts/_shortcodes`, the same as its neighbours.
"""

from dataclasses import dataclass, replace

from perfpress.input.report.shortcodes import VARIANT
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Notice
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shapes.site import Listing, ShortcodeForm
from perfpress.site.shortcodes.graphs import DRAWINGS
from perfpress.site.shortcodes.mentioned import mentioned_in_text, with_old_names
from perfpress.site.shortcodes.numbers import NUMBERS
from perfpress.site.shortcodes.shortcode import Shortcode
from perfpress.site.shortcodes.steps import OF_STEPS
from perfpress.site.shortcodes.variants import in_variant
from perfpress.site.shortcodes.verdicts import VERDICTS

SHORTCODES: tuple[Shortcode, ...] = (*NUMBERS, *OF_STEPS, *VERDICTS, *DRAWINGS)


def shortcode_forms() -> dict[str, ShortcodeForm]:
    """Return the forms of all shortcodes, for their template."""
    return {
        each.name: ShortcodeForm(renders=each.renders, arguments=(*each.arguments, VARIANT))
        for each in SHORTCODES
    }


def shortcode_listing() -> Listing:
    """Return all shortcodes as the docs explain them."""
    return Listing(
        heads=("shortcode", "shows"),
        rows=tuple(
            (f"`{written(each.name, example.arguments)}`", example.shows)
            for each in SHORTCODES
            for example in each.examples
        ),
    )


def written(name: str, arguments: tuple[str, ...]) -> str:
    """Return a shortcode as an author writes it: `{{< chart "select" >}}`."""
    return " ".join(("{{<", name, *(f'"{each}"' for each in arguments), ">}}"))


@dataclass(frozen=True)
class ShownInText:
    """What a text can show, by shortcode."""

    shown: dict[str, dict[str, ShortcodeContent]]
    """By name."""
    names: dict[str, tuple[str, ...]]
    """All that may be named, the nearest to the text first."""
    missing: dict[str, dict[str, Notice]]
    """By name: the reason shown instead of a missing figure."""


def shown_in_text(parts: ReportParts) -> ShownInText:
    """Return what the text of a report can show, for the names that it mentions."""
    report = parts.report
    mentioned = mentioned_in_text(parts.study)
    endings = {"": report.default_variant}
    endings |= {f"{VARIANT.before}{name}": of for name, of in report.variants_in_text.items()}
    variants = dict.fromkeys((*report.variants, *report.same_configs.variants))
    result = ShownInText({}, {VARIANT.name: tuple(variants)}, {})
    for each in SHORTCODES:
        found = {
            f"{name}{ending}": in_variant(report, variant, item)
            for ending, variant in endings.items()
            for name, item in each.find(parts, replace(mentioned, variant=variant)).items()
        }
        shown = {name: block for name, block in found.items() if not isinstance(block, str)}
        missing = {name: reason for name, reason in found.items() if isinstance(reason, str)}
        result.shown[each.name] = with_old_names(shown, parts.study)
        result.names[each.name] = mentioned.nearest(each.names(parts))
        result.missing[each.name] = {
            name: Notice(kind="warning", text=reason)
            for name, reason in with_old_names(missing, parts.study).items()
        }
    return result
