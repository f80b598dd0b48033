"""Level changes as records for machines: what `/api/changes.json` holds.

The names of the keys are promises: keys may be added, and none changes its meaning.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from perfpress.analysis.verdicts.level_changes import LevelChange
from perfpress.input.report.report import Report
from perfpress.site.addresses import all_releases_address, diff_address
from perfpress.site.report_figures import Figures
from perfpress.site.words.common_functions import CommonFunction, CommonFunctions


class CommonFunctionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The function that changed in most of the steps whose level changed together."""

    function: str
    """Its full name."""
    steps: tuple[str, ...]
    """Those in which it changed, the step whose level changed most first."""
    text: str
    """The sentence of the pages; `these steps` are those that share variant, `first_release` and
    direction of the change."""
    url: str
    """Of the diff of the first of `steps`, below the address of the site."""


class ChangeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A level change: from one release on, a metric of a step is at another level."""

    report: str
    """The report's slug."""
    variant: str
    """The variant's slug."""
    step: str
    metric: str
    first_release: str
    """The first that left the level before for good."""
    last_release_before: str
    """The last on the level before; releases between the two belong to neither level."""
    ratio: float | None
    """The level after ÷ the level before; null where that was zero."""
    releases_before: int
    """How many releases the level before rests on."""
    releases_after: int
    evidence: Literal["several releases", "newest release only"]
    """Whether several releases have each level."""
    p: float
    """Of Student's t between the two levels, adjusted for the places where the change could be."""
    common_function: CommonFunctionRecord | None
    """Of throughput; null where too few of the steps have profiles, or no function in common."""
    url: str
    """Of the page of the step's releases, below the address of the site."""


class ChangeFile(msgspec.Struct, frozen=True, kw_only=True):
    """`/api/changes.json`."""

    version: int
    """1; only a change that old readers cannot read raises it."""
    changes: tuple[ChangeRecord, ...]


def change_records(figures: Figures, common_functions: CommonFunctions) -> tuple[ChangeRecord, ...]:
    """Return the level changes of a report, by metric, variant and step, in order of releases."""
    return tuple(
        _record(
            figures.study.report,
            metric,
            variant,
            step,
            change,
            common_functions.get(change.group(variant)) if metric == "throughput" else None,
        )
        for metric, by_place in figures.levels.items()
        for (variant, step), levels in by_place.items()
        for change in levels.changes
    )


def change_file(records: Iterable[ChangeRecord]) -> bytes:
    """Return `/api/changes.json`."""
    content = ChangeFile(version=1, changes=tuple(records))
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def _record(
    report: Report,
    metric: str,
    variant: str,
    step: str,
    change: LevelChange,
    common: CommonFunction | None,
) -> ChangeRecord:
    return ChangeRecord(
        report=report.id,
        variant=variant,
        step=step,
        metric=metric,
        first_release=change.release,
        last_release_before=change.last_before,
        ratio=change.ratio,
        releases_before=change.releases_before,
        releases_after=change.releases_after,
        evidence="several releases" if change.is_lasting else "newest release only",
        p=change.p,
        common_function=_common_function(report, common) if common else None,
        url=all_releases_address(report, step, variant).lstrip("/"),
    )


def _common_function(report: Report, common: CommonFunction) -> CommonFunctionRecord:
    cell, base = common.diff.cell, common.diff.base
    return CommonFunctionRecord(
        function=common.name,
        steps=common.steps,
        text=common.sentence,
        url=diff_address(report, cell, base).lstrip("/"),
    )
