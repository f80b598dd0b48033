"""Lists the latest changes for the home page.

Those backed by several runs or releases come first, and of these what is slower.
"""

from collections.abc import Iterator, Sequence
from math import log

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.level_changes import ChangeGroup
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import percent_change
from perfpress.base.slugs import slug
from perfpress.input.report.report import Report
from perfpress.site.addresses import release_address, report_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.level_changes import change_address, group_key, state_of
from perfpress.site.tables.verdict_cells import MARKS_NOTE, evidence
from perfpress.site.words.level_changes import capitalized, change_text, group_evidence, group_steps
from perfpress.site.words.other_evidence import beside_level_change

MOST = 12
"""Changes that the home page lists; the pages of releases have all."""
LATELY = 6
"""Level changes of a report that are news: the newest, steps that changed together counted once."""


class LatestChange(msgspec.Struct, frozen=True, kw_only=True):
    """A row: a verdict on one step, or the level change of some."""

    row: Row
    change: Cell
    verdict: Cell
    release: Cell
    against: Cell
    report: Cell
    is_confirmed: bool
    is_slower: bool
    size: float


def latest_changes(by_report: Sequence[Sequence[LatestChange]]) -> Table | None:
    """Return what the last releases of each report changed; None without any change."""
    found = [change for changes in by_report for change in changes]
    found.sort(key=lambda each: (not each.is_confirmed, not each.is_slower, -each.size))
    if not found:
        return None
    more = len(found) - MOST
    columns = COLUMNS if len(by_report) > 1 else COLUMNS[:-1]
    more_note = (f"{more} more on the pages of the releases.",) if more > 0 else ()
    return filled(
        Table(
            id="latest-changes",
            caption="What the last release of each report changed, and since when levels differ",
            row_head="Step",
            notes=(MARKS_NOTE, *more_note),
        ),
        columns,
        ((each.row, each) for each in found[:MOST]),
    )


def no_changes(have_rates: Sequence[bool]) -> str:
    """Return what the home page says where nothing changed; nothing of profiles alone.

    Args:
        have_rates: of each report, whether any of its runs has or should have a throughput.
    """
    if have_rates and not any(have_rates):
        return ""
    return (
        "No change seen: no report’s last release is slower or faster than the one before, and no "
        "series of releases changed its level."
    )


def changes_of(figures: Figures) -> Iterator[LatestChange]:
    """Yield what the last release of a report changed, and its newest level changes."""
    groups = figures.change_groups[:LATELY]
    since = {(each.release, each.variant, step) for each in groups for step in each.changes}
    for group in groups:
        yield _of_group(figures, group)
    for verdict in _of_last_release(figures):
        cell = verdict.cell
        if (cell.release, cell.variant, cell.step) not in since:
            yield _of_verdict(figures.study, verdict)


def _of_last_release(figures: Figures) -> list[Verdict]:
    """Return the changes of a report's last measured release against the one before.

    Of a series that is too short for levels, else against the base: what came with an earlier
    release has no other row.
    """
    study, levels = figures.study, figures.levels["throughput"]
    last = next(reversed(study.measured), None)
    found: dict[CellKey, Verdict] = {}
    for cell in study.cells_of_release(last) if last else ():
        for verdict in figures.verdicts.of_cell(cell):
            is_previous = verdict.base == study.previous_of(cell)
            counts = is_previous or (
                cell.step_key not in levels and verdict.base == study.base_of(cell.variant)
            )
            is_news = verdict.state.is_change and not verdict.accepted
            if counts and is_news and (is_previous or cell not in found):
                found[cell] = verdict
    return list(found.values())


def _of_group(figures: Figures, group: ChangeGroup) -> LatestChange:
    study = figures.study
    state = state_of(group)
    basis = "lasting" if group.is_lasting else "newest release only"
    largest = next(iter(group.changes.values()))
    text = change_text(largest)
    return LatestChange(
        row=_row(
            study.report,
            f"{slug(group.variant)}-{group_key(group)}",
            group_steps(group),
            group.variant,
            change_address(study.report, group),
        ),
        change=Cell(text=text if len(group.changes) == 1 else f"up to {text}", sort=largest.ratio),
        verdict=Cell(
            text=f"{state.row.direction}, {basis}",
            tone=state.row.tone,
            mark=state.row.mark,
            note=f"{capitalized(group_evidence(group))}.{beside_level_change(figures, group)}",
        ),
        release=_release(study, group.release),
        against=_release(study, largest.last_before),
        report=_report(study),
        is_confirmed=group.is_lasting,
        is_slower=state.is_slower,
        size=group.size,
    )


def _of_verdict(study: Study, verdict: Verdict) -> LatestChange:
    cell, row = verdict.cell, verdict.state.row
    ratio = verdict.comparison.ratio if verdict.comparison else 1.0
    return LatestChange(
        row=_row(
            study.report,
            "-".join((slug(cell.release), slug(cell.step), cell.variant)),
            cell.step,
            cell.variant,
            cell_url(study, cell),
        ),
        change=Cell(text=percent_change(ratio), sort=ratio),
        verdict=Cell(
            text=verdict.words, tone=row.tone, mark=row.mark, note=evidence(study, verdict)
        ),
        release=_release(study, cell.release),
        against=_release(study, verdict.base),
        report=_report(study),
        is_confirmed=verdict.state.is_confirmed,
        is_slower=verdict.state.is_slower,
        size=abs(log(ratio)),
    )


def _row(report: Report, key: str, steps: str, variant: str, url: str) -> Row:
    is_default = variant == report.default_variant
    return Row(
        key=f"{report.id}-{key}",
        label=steps if is_default else f"{steps}, {report.variants[variant]}",
        url=url,
    )


def _release(study: Study, release: str) -> Cell:
    return Cell(text=study.label(release), url=release_address(study.report, release))


def _report(study: Study) -> Cell:
    return Cell(text=study.report.title, url=report_address(study.report))


COLUMNS: tuple[Column[LatestChange], ...] = (
    Column("change", "Throughput", lambda of: of.change),
    Column("verdict", "Verdict", lambda of: of.verdict, numeric=False),
    Column("release", "Release", lambda of: of.release, numeric=False),
    Column("against", "Against", lambda of: of.against, numeric=False),
    Column("report", "Report", lambda of: of.report, numeric=False),
)
"""The last names the report, where the site has several."""
