"""Tables of level changes: of one step on all metrics, and of all steps of a variant."""

from typing import Literal

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import ChangeGroup, Fluke, LevelChange, SeriesLevels
from perfpress.analysis.verdicts.states import State, state_of_change
from perfpress.base.display import NO_VALUE, brief_function, number, plural, short_name
from perfpress.base.slugs import slug
from perfpress.input.report.report import Report
from perfpress.site.addresses import (
    all_releases_address,
    diff_address,
    release_address,
    variant_address,
)
from perfpress.site.cell_pages import cell_url
from perfpress.site.nearby_releases import MOST
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.words.common_functions import CommonFunctions
from perfpress.site.words.level_changes import (
    capitalized,
    change_text,
    group_change,
    group_evidence,
    metric_name,
    p_text,
    unit_words,
)

MOST_NAMED = 4
"""Steps that a row names; the note of its cell has all."""

StepChange = tuple[SeriesLevels, LevelChange | Fluke]
"""A change, or a release that alone differs, with the series it is of."""


def step_changes_table(figures: Figures, variant: str, step: str) -> Table | None:
    """Return all level changes and flukes of a step, by metric; None without any."""
    study = figures.study

    def release(change: StepChange) -> Cell:
        name = change[1].release
        url = cell_url(study, CellKey(name, variant, step))
        return Cell(text=study.label(name), url=url)

    def size(change: StepChange) -> Cell:
        return Cell(text=change_text(change[1]), sort=change[1].ratio)

    def level(change: StepChange, *, after: bool) -> Cell:
        one = change[1]
        sides = (one.level, one.value) if isinstance(one, Fluke) else (one.before, one.after)
        return Cell(text=number(sides[after]), sort=sides[after])

    def evidence(change: StepChange) -> Cell:
        one = change[1]
        if isinstance(one, Fluke):
            return Cell(text=f"this release alone, {p_text(one.p)}")
        if not one.is_lasting:
            return Cell(text=f"only the newest release, {p_text(one.p)}")
        counts = f"levels of {one.releases_before} and {one.releases_after} releases"
        return Cell(text=f"{counts}, {p_text(one.p)}")

    columns: tuple[Column[StepChange], ...] = (
        Column("release", "Release", release, numeric=False),
        Column("change", "Change", size, meaning="of the level, or against the level around it"),
        Column("before", "From", lambda change: level(change, after=False)),
        Column("after", "To", lambda change: level(change, after=True)),
        Column("evidence", "Evidence", evidence, numeric=False),
    )
    found: list[StepChange] = []
    for by_step in figures.levels.values():
        if levels := by_step.get((variant, step)):
            found += [(levels, each) for each in levels.changes]
            found += [(levels, each) for each in levels.flukes]
    if not found:
        return None
    if len(found) > MOST:
        order = [each.id for each in study.report.releases]
        found.sort(key=lambda each: order.index(each[1].release))
    return filled(
        Table(
            id="level-changes",
            caption="Level changes, and releases that alone differ",
            row_head="Metric",
            notes=_left_out(len(found)),
        ),
        columns,
        (
            (
                Row(
                    key=_row_key(*change),
                    label=capitalized(metric_name(change[0].metric)),
                    unit=unit_words(study, change[0].metric, step).replace(" per second", "/s"),
                ),
                change,
            )
            for change in found[-MOST:]
        ),
    )


def _row_key(levels: SeriesLevels, change: LevelChange | Fluke) -> str:
    """Return a key that no other row has: the first release of a level may differ alone, too."""
    key = f"{slug(levels.metric)}-{slug(change.release)}"
    is_second = isinstance(change, Fluke) and any(
        each.release == change.release for each in levels.changes
    )
    return f"{key}-alone" if is_second else key


def _left_out(count: int) -> tuple[str, ...]:
    more = f"{MOST} of {count}, the newest; /api/changes.json has all."
    return (more,) if count > MOST else ()


def change_groups_table(
    figures: Figures, variant: str, common_functions: CommonFunctions
) -> Table | None:
    """Return the releases at which the throughput of steps changed; None without any."""
    study = figures.study
    groups = [each for each in figures.change_groups if each.variant == variant]
    if not groups:
        return None

    def change(group: ChangeGroup) -> Cell:
        state = state_of(group)
        return Cell(text=group_change(group), tone=state.row.tone, mark=state.row.mark)

    def largest(group: ChangeGroup) -> Cell:
        step, first = next(iter(group.changes.items()))
        url = all_releases_address(study.report, step, variant)
        return Cell(text=change_text(first), sort=first.ratio, url=url)

    def steps(group: ChangeGroup) -> Cell:
        names = [f"{short_name(step)} {change_text(each)}" for step, each in group.changes.items()]
        more = len(names) - MOST_NAMED
        return Cell(
            text=", ".join((*names[:MOST_NAMED], *((f"and {more} more",) if more > 0 else ()))),
            note="; ".join(names) if more > 0 else "",
        )

    def function(group: ChangeGroup) -> Cell:
        found = common_functions.get(group.key)
        if found is None:
            return Cell(text=NO_VALUE)
        cell, base = found.diff.cell, found.diff.base
        return Cell(
            text=f"{brief_function(found.name)} ({plural(len(found.steps), 'step')})",
            note=found.sentence,
            url=diff_address(study.report, cell, base),
        )

    in_common: tuple[Column[ChangeGroup], ...] = ()
    if any(each.key in common_functions for each in groups):
        in_common = (Column("function", "Common function", function, numeric=False),)
    columns: tuple[Column[ChangeGroup], ...] = (
        Column("change", "Throughput", change, numeric=False),
        Column("largest", "Largest", largest),
        Column("steps", "Steps", steps, numeric=False),
        *in_common,
        Column("evidence", "Evidence", lambda each: Cell(text=group_evidence(each)), numeric=False),
    )
    return filled(
        Table(
            id="level-changes",
            caption=f"Level changes of throughput, on {study.report.variants[variant]}",
            row_head="Since",
            notes=(
                "Newest first. A level change is a change that lasts; its first release is the "
                "first at the new level.",
                *_left_out(len(groups)),
            ),
        ),
        columns,
        (
            (
                Row(
                    key=group_key(each),
                    label=study.label(each.release),
                    url=release_address(study.report, each.release),
                ),
                each,
            )
            for each in groups[:MOST]
        ),
    )


def change_address(report: Report, group: ChangeGroup) -> str:
    """Return where a reader sees a group: the page of its only step, or its row of a table."""
    if len(group.changes) == 1:
        return all_releases_address(report, next(iter(group.changes)), group.variant)
    return f"{variant_address(report, group.variant)}#level-changes.{group_key(group)}"


def group_key(group: ChangeGroup) -> str:
    """Return a key that is unique among the groups of a variant, and the same in every build."""
    way = "rise" if group.is_rise else "drop"
    newest = "" if group.is_lasting else "-newest"
    return f"{slug(group.release)}-{way}{newest}"


def state_of(group: ChangeGroup) -> State:
    """Return the state whose mark and tone a group has: certain ones have colour."""
    direction: Literal["faster", "slower"] = "faster" if group.is_better else "slower"
    return state_of_change(direction, is_one_run=not group.is_lasting)
