"""The table of what differs between the environments of two releases."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perfpress.analysis.environment.environment import FactValues, compare_environments
from perfpress.analysis.environment.plans import PlanComparison
from perfpress.analysis.study.study import Study
from perfpress.base.display import NO_VALUE, brief, plural, short_name
from perfpress.base.slugs import slug
from perfpress.input.bundles.read import Bundle
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.words.plans import plan_notes, plans_by_step

MOST_LINES = 8
"""Changed lines of an attachment that a cell's note lists."""


class _FactRow(NamedTuple):
    """A fact as two releases have it."""

    kind: str
    name: str
    base: Cell
    after: Cell
    note: str = ""
    key: str = ""
    """Where kind and name do not make one."""


def environment_table(
    study: Study, release: str, base: str, variant: str, step: str | None = None
) -> Table:
    """Return the facts that differ, and in a note those that all runs of both releases share.

    Of the plans of queries, those of one step or of all, only those that differ are listed.

    Where one of the two has no valid run of the variant, the other's facts are shown alone; so are
    those of the base, which is compared with nothing.
    """
    if release == base:
        own = study.valid_bundles(release, variant)
        is_base = study.is_base(release, variant)
        note = "The other releases are compared with it." if is_base else ""
        return _without_comparison(study, release, own, note)
    sides = {each: study.valid_bundles(each, variant) for each in (base, release)}
    for missing, other in ((base, release), (release, base)):
        if not sides[missing]:
            note = f"No comparison: {study.label(missing)} has no run of this variant that counts."
            return _without_comparison(study, other, sides[other], note)
    environment = compare_environments(sides[base], sides[release])
    differences = [
        _FactRow(
            each.kind,
            each.name,
            _cell(_values(each.base)),
            _cell(_values(each.after)),
            "differs" + (f": {_lines(each.changed_lines)}" if each.changed_lines else ""),
        )
        for each in environment.differences
    ]
    plans = plans_by_step(study, release, base, variant, step)
    plan_rows = _plan_rows(plans)
    same = [
        f"{kind} {short_name(name)} {brief(short_name(value))}"
        for kind, name, value in environment.same
    ]
    base_label, label = study.label(base), study.label(release)
    return _table(
        f"{'Plans, machine' if plan_rows else 'Machine'}, tools and attachments of "
        f"{base_label} and {label}",
        (
            Column("base", base_label, lambda fact: fact.base, numeric=False, stays=True),
            Column("release", label, lambda fact: fact.after, numeric=False, stays=True),
        ),
        [*differences, *plan_rows],
        *_counted(len(differences), same),
        *plan_notes(plans),
    )


def _counted(differences: int, same: Sequence[str]) -> list[str]:
    """Return how many facts differ, and those that do not; nothing where none are recorded."""
    facts = differences + len(same)
    counted = [f"{differences} of {plural(facts, 'fact')} differ."] if facts else []
    return counted + ([f"The same in both: {'; '.join(same)}."] if same else [])


def _plan_rows(plans: Mapping[str, PlanComparison]) -> list[_FactRow]:
    return [
        _FactRow(
            "plan",
            f"{step}: {difference.query}",
            Cell(text=short_name(difference.base)),
            Cell(text=short_name(difference.after)),
            f"differs: {difference}",
            f"plan-{step}-{number}",
        )
        for step, comparison in plans.items()
        for number, difference in enumerate(comparison.differences, start=1)
    ]


def _without_comparison(study: Study, release: str, bundles: list[Bundle], note: str) -> Table:
    """Return the facts of one release, with the reason why they are shown alone, if it has one."""
    # Compared with themselves, runs differ in what they do not agree in.
    environment = compare_environments(bundles, bundles)
    facts = [(each.kind, each.name, _values(each.after)) for each in environment.differences]
    facts += [(kind, name, short_name(value)) for kind, name, value in environment.same]
    label = study.label(release)
    return _table(
        f"Machine, tools and attachments of {label}",
        (Column("release", label, lambda fact: fact.after, numeric=False, stays=True),),
        [_FactRow(kind, name, Cell(text=""), _cell(text)) for kind, name, text in facts],
        *filter(None, (note,)),
    )


def _table(
    caption: str, columns: Sequence[Column[_FactRow]], facts: Sequence[_FactRow], *notes: str
) -> Table:
    return filled(
        Table(id="environment", caption=caption, row_head="Fact", notes=notes),
        columns,
        (
            (
                Row(
                    key=slug(each.key or f"{each.kind}-{each.name}"),
                    label=f"{each.kind} {short_name(each.name)}",
                    note=each.note,
                ),
                each,
            )
            for each in facts
        ),
    )


def _values(values: FactValues) -> str:
    return "; ".join(NO_VALUE if value is None else short_name(value) for value in values)


def _cell(text: str) -> Cell:
    """Return a fact as it fits its column; a note has it whole."""
    shown = brief(text)
    return Cell(text=shown, note=text if shown != text else "")


def _lines(lines: tuple[str, ...]) -> str:
    more = len(lines) - MOST_LINES
    shown = "; ".join(short_name(line) for line in lines[:MOST_LINES])
    return f"{shown}; and {more} more lines" if more > 0 else shown
