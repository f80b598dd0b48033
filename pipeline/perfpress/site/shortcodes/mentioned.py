"""The releases and steps of a report that its text mentions.

A report has as many verdicts, graphs and numbers as cells, and more pairs than cells. Its page
carries those that its text mentions; of the others it knows names, for the message about a slip.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import TypeVar

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.input.corrections.files import Rename
from perfpress.input.report.mentions import Mentions

MOST_NAMES = 40
"""Most names that a message chooses from."""

Named = TypeVar("Named")


@dataclass(frozen=True)
class Mentioned:
    """The part of a report that its text can show."""

    names: Mentions
    variant: str
    """The one that is looked for."""
    releases: tuple[str, ...]
    """In the report's order; the base is always among them, as shortcodes take it by default."""
    steps: tuple[str, ...]

    @cached_property
    def cells(self) -> Mapping[CellKey, None]:
        """All pairs of these releases and steps, in order; those that have no runs too."""
        return {
            CellKey(release, self.variant, step): None
            for release in self.releases
            for step in self.steps
        }

    def nearest(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return some of the names, those first that have most parts in common with the text."""
        parts = {*self.releases, *self.steps}

        def in_common(name: str) -> int:
            return len(parts.intersection(name.split("/")))

        return tuple(nlargest(MOST_NAMES, names, in_common))


def mentioned_in_text(study: Study) -> Mentioned:
    """Return what the text of a report mentions, under the names that it has now."""
    report = study.report
    renames = _renames(study)

    def is_mentioned(what: str, name: str) -> bool:
        names = {name}
        for rename in reversed(renames):
            if rename.what == what and rename.new in names:
                names.add(rename.old)
        return any(each in report.mentions for each in names)

    return Mentioned(
        report.mentions,
        report.default_variant,
        tuple(
            each.id
            for each in report.releases
            if each.id == report.base or is_mentioned("release", each.id)
        ),
        # Steps of which no run counts any more have no page, and still a reason.
        tuple(
            step
            for step in dict.fromkeys(
                [*report.steps, *(each.cell.step for each in study.step_runs)]
            )
            if is_mentioned("step", step)
        ),
    )


def with_old_names(known: Mapping[str, Named], study: Study) -> dict[str, Named]:
    """Return what a text may name, under the names from before renames too.

    Names are parts with slashes between: `<release>/<step>/vs/<base>`.
    """
    found = dict(known)
    for rename in reversed(_renames(study)):
        for name, item in tuple(found.items()):
            former = f"/{name}/".replace(f"/{rename.new}/", f"/{rename.old}/")
            found.setdefault(former[1:-1], item)
    return found


def _renames(study: Study) -> list[Rename]:
    return [each.change for each in study.corrections if isinstance(each.change, Rename)]
