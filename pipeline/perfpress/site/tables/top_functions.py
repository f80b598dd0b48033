"""The top functions by release, shown instead of rates for steps that have only profiles.

Those that changed most against the base come first, then those with the largest self weight.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from perfpress.analysis.paths.frame_path import function_path
from perfpress.analysis.profiles.function_matrix import MatrixFunction, functions_of
from perfpress.analysis.profiles.profile import joined_keys
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.display import NO_VALUE, brief_function, fixed, row_name
from perfpress.base.node.messages.findings import Findings
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled, row_keys, with_namespace
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.grid import tint_by_size, tints_of_costs
from perfpress.site.tables.matrix_data import LONGEST_KEY, operations_of
from perfpress.site.words.author_rates import author_rates_notes
from perfpress.site.words.measured import NO_RATES_NOTE, cells_have_rates

MOST_FUNCTIONS = 10
"""Of a step."""
MOST_CHANGED = 7
"""Of these: the others are the heaviest, whether they changed or not."""
MOST_CELLS = 600
"""Of the table of all steps: each has an address, and the page of a report is to stay small."""
DECIMALS = 2


@dataclass(frozen=True)
class TopFunctions:
    """The top functions of a step, and what a release of it is compared by."""

    cells: tuple[CellKey, ...]
    """The releases that have a profile, in order."""
    functions: tuple[MatrixFunction, ...]
    """Weights are in the order of the cells."""
    wholes: tuple[int, ...]
    """Weights of the profiles."""
    one_percent: tuple[float, ...]
    """Weight that is 1 % of a profile, or of what an operation of the base costs."""
    unit: str
    base: str
    """The release that the others are compared with."""
    changed: Mapping[CellKey, Mapping[str, float]]
    """By release and function: the net changes against the base that are beyond noise, in percent
    as the shares or costs are."""


def top_functions(figures: Figures, findings: FindingsOfDiffs) -> dict[StepKey, TopFunctions]:
    """Return the functions of all steps that have profiles and no rates."""
    study = figures.study
    found = {}
    for variant in study.report.variants:
        for step in study.report.steps:
            cells = cells_of_step(study, variant, step)
            profiled = tuple(cell for cell in cells if figures.main(cell))
            if profiled and not cells_have_rates(figures, cells):
                found[variant, step] = _of_step(figures, profiled, findings)
    return found


def _of_step(
    figures: Figures, cells: tuple[CellKey, ...], findings: FindingsOfDiffs
) -> TopFunctions:
    report, base = figures.study.report, figures.profile_base(cells[0])
    profiles = [profile for cell in cells if (profile := figures.main_profile(cell)) is not None]
    functions = functions_of(profiles, joined_keys(report.aliases))
    wholes = tuple(profile.total for profile in profiles)
    place = cells[0].step_key
    # By the author's rates 1 % is one of what an operation of the base costs.
    costs = [each for each in operations_of(figures, cells) if each]
    is_cost = place in figures.author_rates and len(costs) == len(cells)
    found = {cell: findings[key] for cell in cells if (key := DiffKey(cell, base)) in findings}
    largest: dict[str, float] = {}
    for change in chain.from_iterable((*each.additions, *each.savings) for each in found.values()):
        largest[change.function] = max(largest.get(change.function, 0.0), abs(change.net))
    by_change = sorted(
        (each for each in functions if _id(each) in largest), key=lambda each: -largest[_id(each)]
    )
    by_self = sorted(functions, key=lambda each: -_largest_share(each.selfs, wholes))
    top = dict.fromkeys((*by_change[:MOST_CHANGED], *by_self[:MOST_FUNCTIONS]))
    return TopFunctions(
        cells=cells,
        functions=tuple(top)[:MOST_FUNCTIONS],
        wholes=wholes,
        one_percent=tuple(costs) if is_cost else tuple(whole / 100 for whole in wholes),
        unit=figures.main_cost_unit(*place).shown(())[1]
        if is_cost
        else f"% of {figures.events[place][1]}",
        base=base,
        changed={cell: _changes(each) for cell, each in found.items()},
    )


def _changes(findings: Findings) -> dict[str, float]:
    """Return the net changes beyond noise; callers and callees changed with a function."""
    listed = (*findings.additions, *findings.savings)
    related = (each for change in listed for each in (*change.callers, *change.callees))
    return {each.function: each.net * findings.shown.factor for each in (*related, *listed)}


def _id(function: MatrixFunction) -> str:
    """Return a function's name in findings."""
    return f"{function.frame_class} {function.key}"


def _largest_share(weights: Sequence[int], wholes: Sequence[int]) -> float:
    pairs = zip(weights, wholes, strict=True)
    return max((weight / whole for weight, whole in pairs if whole), default=0.0)


@dataclass(frozen=True)
class _Subject:
    """What a row is about: a function of a step, or all its code."""

    of: TopFunctions
    weights: tuple[int, ...]
    function: MatrixFunction | None = None

    def percent(self, release: str) -> float | None:
        """Return its share or cost in a release; None without a profile."""
        for cell, weight, one in zip(self.of.cells, self.weights, self.of.one_percent, strict=True):
            if cell.release == release:
                return weight / one if one else None
        return None


def top_functions_table(
    figures: Figures,
    links: FrameLinks,
    found: Iterable[TopFunctions],
    releases: Collection[str] | None = None,
) -> Table | None:
    """Return the top functions of steps, a column a release; None where there are none.

    Args:
        figures: of the report.
        links: to frames of graphs.
        found: of steps of one variant.
        releases: those to show; None for all.
    """
    study = figures.study
    wanted = {each.id for each in study.report.releases} if releases is None else set(releases)
    steps = [each for each in found if any(cell.release in wanted for cell in each.cells)]
    if not steps:
        return None
    there = wanted.intersection(cell.release for each in steps for cell in each.cells)
    shown = [release.id for release in study.report.releases if release.id in there]
    bases = {each.base for each in steps}
    columns = tuple(
        _column(figures, links, release, is_base=bases == {release}) for release in shown
    )
    most = max(MOST_CELLS // (len(steps) * len(shown)), 1)
    base = study.label(next(iter(bases))) if len(bases) == 1 else "the first release with a profile"
    rows = (row for each in steps for row in _rows(figures, each, most, len(steps) > 1))
    table = Table(
        id="functions" if len(steps) == 1 else f"functions-{steps[0].cells[0].variant}",
        caption=f"Top functions by release, {' or '.join(sorted({each.unit for each in steps}))}, "
        "with everything they call",
        row_head="Function",
        by_release=True,
        tints=tints_of_costs(),
        notes=(
            NO_RATES_NOTE,
            *author_rates_notes(
                figures, steps[0].cells[0].variant, [each.cells[0].step for each in steps]
            ),
            f"First the functions that changed most against {base}, then those with the largest "
            f"self weight. Colour shows changes beyond noise, as a ratio to {base}; what only "
            "moved or was renamed has none. Numbers lead to the function in the flame graph of the "
            "release.",
        ),
    )
    return with_namespace(filled(table, columns, rows))


def _rows(
    figures: Figures, found: TopFunctions, most: int, is_group: bool
) -> Iterator[tuple[Row, _Subject]]:
    """Yield the rows of a step, all its code first where that is not 100 % in each release."""
    first = found.cells[0]
    page = all_releases_address(figures.study.report, first.step, first.variant)
    prefix = f"{slug(first.step)}~" if is_group else ""
    subjects = [_Subject(found, each.totals, each) for each in found.functions[:most]]
    names = [each.name for each in found.functions[:most]]
    keys = list(row_keys(names))
    if found.one_percent != tuple(whole / 100 for whole in found.wholes):
        subjects.insert(0, _Subject(found, found.wholes))
        names.insert(0, "all code")
        keys.insert(0, "@all")
    for key, name, subject in zip(keys, names, subjects, strict=True):
        row = Row(
            key=f"{prefix}{key}",
            label=brief_function(name),
            note=row_name(name) if brief_function(name) != row_name(name) else "",
            group=first.step if is_group else "",
            group_url=page if is_group else "",
        )
        yield row, subject


def _column(
    figures: Figures, links: FrameLinks, release: str, *, is_base: bool
) -> Column[_Subject]:
    study = figures.study

    def shown(subject: _Subject) -> Cell:
        of = subject.of.cells[0]
        cell = of.in_release(release)
        percent = subject.percent(release)
        if percent is None:
            return Cell(text=NO_VALUE, note=figures.why_no_profile(cell))
        return Cell(
            text=fixed(percent, DECIMALS) if percent else NO_VALUE,
            tint=_tint(subject, cell, percent),
            url=_url(figures, links, subject, cell) if percent else "",
            sort=percent,
        )

    return Column(slug(release), study.label(release), shown, unit="base" if is_base else "")


def _tint(subject: _Subject, cell: CellKey, percent: float) -> str:
    """Return the tint of a number that differs from the base's beyond noise.

    What only moved to a function is no change of it: its net change is.
    """
    before = subject.percent(subject.of.base)
    function = subject.function
    net = subject.of.changed.get(cell, {}).get(_id(function), 0.0) if function else 0.0
    if before is None or net * (percent - before) <= 0:
        return ""
    ratio = percent / (percent - net) if net < percent else 0.0
    return tint_by_size(ratio, is_worse=net > 0)


def _url(figures: Figures, links: FrameLinks, subject: _Subject, cell: CellKey) -> str:
    """Return the address of the function in the release's graph, else of the release's step."""
    function = subject.function
    path = function_path(function.key, function.frame_class) if function else ""
    url = links.of(cell, path)[0] if len(path) < LONGEST_KEY else ""
    return url or cell_url(figures.study, cell)
