"""The table of what differs between the environments of two releases."""

from pipeline.analysis.environment import Values, compare_environments
from pipeline.bundle.read import Bundle
from pipeline.site_data.display import NO_VALUE
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study import Study

MOST_LINES = 8
"""Changed lines of an attachment that a cell's note lists."""


def environment_table(study: Study, release: str, base: str, variant: str) -> Table:
    """Return the facts that differ first, then those that all runs of both releases share."""
    environment = compare_environments(
        *(_bundles(study, each, variant) for each in (base, release))
    )
    rows = [
        Row(
            key=slug(f"{each.kind}-{each.name}"),
            label=f"{each.kind} {each.name}",
            note="differs" + (f": {_lines(each.changed_lines)}" if each.changed_lines else ""),
            cells=(Cell(text=_values(each.base)), Cell(text=_values(each.after))),
        )
        for each in environment.differences
    ]
    rows += [
        Row(
            key=slug(f"{kind}-{name}"),
            label=f"{kind} {name}",
            cells=(Cell(text=value), Cell(text="the same")),
        )
        for kind, name, value in environment.same
    ]
    base_label, label = study.label(base), study.label(release)
    count = len(environment.differences)
    return Table(
        id="environment",
        caption=f"Machine, tools and attachments of {base_label} and {label}",
        row_head="Fact",
        columns=(
            Column(key="base", label=base_label, numeric=False),
            Column(key="release", label=label, numeric=False),
        ),
        rows=tuple(rows),
        notes=(f"{count} of {len(rows)} facts differ, the tested server's own version included.",),
    )


def _bundles(study: Study, release: str, variant: str) -> list[Bundle]:
    return [
        run.bundle
        for run in study.runs
        if run.status == "valid"
        and run.bundle.run.release == release
        and run.bundle.variant.slug == variant
    ]


def _values(values: Values) -> str:
    return "; ".join(NO_VALUE if value is None else value for value in values) or NO_VALUE


def _lines(lines: tuple[str, ...]) -> str:
    more = len(lines) - MOST_LINES
    shown = "; ".join(lines[:MOST_LINES])
    return f"{shown}; and {more} more lines" if more > 0 else shown
