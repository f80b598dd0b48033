"""Defines a shortcode: name, arguments, lookup in a report, and documentation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from perfpress.input.report.shortcodes import ARGUMENTS, ShortcodeArgument
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shapes.site import Renders
from perfpress.site.shortcodes.mentioned import Mentioned

FoundByName = Mapping[str, ShortcodeContent | str]
"""By name: what is shown, or why nothing is."""


@dataclass(frozen=True)
class Example:
    """A use of a shortcode, as the docs list it."""

    arguments: tuple[str, ...]
    shows: str
    """What that shows, in Markdown."""


def _none(_: ReportParts) -> Iterable[str]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Shortcode:
    """One shortcode."""

    name: str
    renders: Renders
    find: Callable[[ReportParts, Mentioned], FoundByName]
    """Returns what the text can show, for the releases and steps that it mentions."""
    names: Callable[[ReportParts], Iterable[str]] = _none
    """Returns all other valid names, for the message about an unknown name."""
    examples: tuple[Example, ...]

    @property
    def arguments(self) -> tuple[ShortcodeArgument, ...]:
        """Together they name what is shown; the name is empty without any."""
        return ARGUMENTS[self.name]
