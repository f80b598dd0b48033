"""Waterfalls: the largest additions and savings of a diff, as bars that sum up to the whole."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import percent_change
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.site.addresses import diff_address, diff_graph_id, frame_link
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Waterfall, WaterfallBar
from perfpress.site.tables.diff_findings import FindingsOfDiffs, signed_text, unit_of

MOST_FUNCTIONS = 6
"""Bars with a name; the tables of the diff have all functions."""
MOST_STEPS = 3
"""Waterfalls on the page of a release: the largest changes."""
WIDTH = 1000
"""Of a bar's box, which spans the range of all sums."""
LEAST_WIDTH = 2


def waterfall(findings: Findings, name: str, link: Callable[[Change], str]) -> Waterfall | None:
    """Return the bars of a diff, largest first, then what is not named and the whole.

    Args:
        findings: of the diff; shares have no whole that could change.
        name: of the element, unique on its page.
        link: returns where the bar of a function leads.
    """
    change = findings.change
    found = sorted(
        (*findings.additions, *findings.savings), key=lambda each: abs(each.part), reverse=True
    )
    if findings.basis == "share" or not found:
        return None
    named, others = found[:MOST_FUNCTIONS], found[MOST_FUNCTIONS:]
    steps = [
        *((each.name, each.part, link(each)) for each in named),
        *_others("addition", [each.part for each in others if each.part > 0]),
        *_others("saving", [each.part for each in others if each.part <= 0]),
        ("all code, evenly", change.even, ""),
        ("the rest", change.rest, ""),
    ]
    steps = [each for each in steps if each[1]]
    if not steps:
        return None
    ends = [0.0, *accumulate(part for _, part, _ in steps)]
    low, high = min(*ends, change.whole), max(*ends, change.whole)

    def bar(label: str, part: float, url: str, start: float) -> WaterfallBar:
        scale = WIDTH / (high - low)
        return WaterfallBar(
            label=label,
            url=url,
            text=signed_text(findings, part),
            tone="worse" if part > 0 else "better",
            start=str(round((min(start, start + part) - low) * scale)),
            width=str(max(round(abs(part) * scale), LEAST_WIDTH)),
        )

    base = findings.base.whole
    percent = f", {percent_change(1 + change.whole / base)}" if base > 0 else ""
    whole = signed_text(findings, change.whole)
    return Waterfall(
        id=name,
        caption=f"{findings.base.label} → {findings.after.label}: "
        f"{whole} {unit_of(findings)}{percent}",
        bars=tuple(bar(*step, start) for step, start in zip(steps, ends, strict=False)),
        whole=bar("whole change", change.whole, "", 0.0),
    )


def _others(kind: str, parts: Sequence[float]) -> list[tuple[str, float, str]]:
    return (
        [(f"{len(parts)} other {kind}{'s' if len(parts) > 1 else ''}", sum(parts), "")]
        if parts
        else []
    )


def step_waterfall(figures: Figures, cell: CellKey, findings: FindingsOfDiffs) -> Waterfall | None:
    """Return what changed in a cell against the base, else against the release before."""
    before = figures.study.compared_with(cell.release, cell.variant)
    bases = (figures.profile_base(cell), *before)
    keys = (DiffKey(cell, base) for base in bases)
    key = next((each for each in keys if each in findings), None)
    return _of_diff(figures, key, findings[key], "waterfall") if key else None


def release_waterfalls(
    figures: Figures, release: str, findings: FindingsOfDiffs
) -> tuple[Waterfall, ...]:
    """Return what changed in the steps of a release against the base, the largest changes first."""
    own = [
        (key, each)
        for key, each in findings.items()
        if key.cell.release == release and figures.is_against_base(key) and each.base.whole > 0
    ]
    own.sort(key=lambda each: -abs(each[1].change.whole / each[1].base.whole))
    made = (
        _of_diff(figures, key, each, f"waterfall-{at}", key.cell.step)
        for at, (key, each) in enumerate(own, start=1)
    )
    return tuple(each for each in made if each)[:MOST_STEPS]


def _of_diff(
    figures: Figures, key: DiffKey, findings: Findings, name: str, step: str = ""
) -> Waterfall | None:
    cell = key.cell
    page = diff_address(figures.study.report, cell, key.base)
    graph = diff_graph_id(cell, key.base)
    made = waterfall(findings, name, lambda change: page + frame_link(graph, change.path))
    if made is None or not step:
        return made
    return Waterfall(
        id=made.id, caption=f"{step}, {made.caption}", bars=made.bars, whole=made.whole
    )
