"""The table of what differs between the environments of two releases."""

from collections.abc import Mapping

from pipeline.analysis.environment import Values, compare_environments
from pipeline.analysis.plans import PlanComparison
from pipeline.bundle.read import Bundle
from pipeline.display import NO_VALUE, brief, short_name
from pipeline.site_data.plans import plan_notes, plans_by_step
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study.study import Study

MOST_LINES = 8
"""Changed lines of an attachment that a cell's note lists."""


def environment_table(
    study: Study, release: str, base: str, variant: str, step: str | None = None
) -> Table:
    """Return the facts that differ first, then those that all runs of both releases share.

    Of the plans of queries, those of one step or of all, only those that differ are listed.

    Where one of the two has no run of the variant that counts, the other's facts stand alone; so
    do those of the base, which is compared with nothing.
    """
    if release == base:
        own = _bundles(study, release, variant)
        return _without_comparison(study, release, own, "The other releases are compared with it.")
    sides = {each: _bundles(study, each, variant) for each in (base, release)}
    for missing, other in ((base, release), (release, base)):
        if not sides[missing]:
            note = f"No comparison: {study.label(missing)} has no run of this variant that counts."
            return _without_comparison(study, other, sides[other], note)
    environment = compare_environments(sides[base], sides[release])
    rows = [
        Row(
            key=slug(f"{each.kind}-{each.name}"),
            label=_label(each.kind, each.name),
            note="differs" + (f": {_lines(each.changed_lines)}" if each.changed_lines else ""),
            cells=(_cell(_values(each.base)), _cell(_values(each.after))),
        )
        for each in environment.differences
    ]
    plans = plans_by_step(study, release, base, variant, step)
    plan_rows = _plan_rows(plans)
    same = [
        Row(
            key=slug(f"{kind}-{name}"),
            label=_label(kind, name),
            cells=(_cell(short_name(value)), Cell(text="the same")),
        )
        for kind, name, value in environment.same
    ]
    base_label, label = study.label(base), study.label(release)
    count = len(environment.differences)
    return Table(
        id="environment",
        caption=f"{'Plans, machine' if plan_rows else 'Machine'}, tools and attachments of "
        f"{base_label} and {label}",
        row_head="Fact",
        columns=(
            Column(key="base", label=base_label, numeric=False),
            Column(key="release", label=label, numeric=False),
        ),
        rows=(*rows, *plan_rows, *same),
        notes=(f"{count} of {count + len(same)} facts differ.", *plan_notes(plans)),
    )


def _plan_rows(plans: Mapping[str, PlanComparison]) -> list[Row]:
    return [
        Row(
            key=slug(f"plan-{step}-{number}"),
            label=_label("plan", f"{step}: {difference.query}"),
            note=f"differs: {difference}",
            cells=(Cell(text=short_name(difference.base)), Cell(text=short_name(difference.after))),
        )
        for step, comparison in plans.items()
        for number, difference in enumerate(comparison.differences, start=1)
    ]


def _without_comparison(study: Study, release: str, bundles: list[Bundle], note: str) -> Table:
    """Return the facts of one release, with the reason why they stand alone."""
    # Compared with themselves, runs differ in what they do not agree in.
    environment = compare_environments(bundles, bundles)
    facts = [(each.kind, each.name, _values(each.after)) for each in environment.differences]
    facts += [(kind, name, short_name(value)) for kind, name, value in environment.same]
    label = study.label(release)
    return Table(
        id="environment",
        caption=f"Machine, tools and attachments of {label}",
        row_head="Fact",
        columns=(Column(key="release", label=label, numeric=False),),
        rows=tuple(
            Row(key=slug(f"{kind}-{name}"), label=_label(kind, name), cells=(_cell(text),))
            for kind, name, text in facts
        ),
        notes=(note,),
    )


def _label(kind: str, name: str) -> str:
    return f"{kind} {short_name(name)}"


def _bundles(study: Study, release: str, variant: str) -> list[Bundle]:
    return [
        run.bundle
        for run in study.runs
        if run.status == "valid"
        and run.bundle.run.release == release
        and run.bundle.variant.slug == variant
    ]


def _values(values: Values) -> str:
    return "; ".join(NO_VALUE if value is None else short_name(value) for value in values)


def _cell(text: str) -> Cell:
    """Return a fact as it fits its column; a note has it whole."""
    shown = brief(text)
    return Cell(text=shown, note=text if shown != text else "")


def _lines(lines: tuple[str, ...]) -> str:
    more = len(lines) - MOST_LINES
    shown = "; ".join(short_name(line) for line in lines[:MOST_LINES])
    return f"{shown}; and {more} more lines" if more > 0 else shown
