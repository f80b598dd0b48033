"""The data file from which a step's page loads the functions that it does not contain."""

from collections.abc import Iterable, Sequence

from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.profiles.function_matrix import FunctionMatrix, MatrixFunction
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import row_name
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.matrix import MatrixData, MatrixRelease
from perfpress.site.tables.frame_links import FrameLinks

LONGEST_KEY = 2_000
LARGEST_EXACT = 2**53
"""What a JavaScript number holds."""


def operations_of(figures: Figures, cells: Sequence[CellKey]) -> list[float | None]:
    """Return the operations that each profile covers; None where they are not known."""
    works = [figures.work[cell] for cell in cells]
    return [None if isinstance(each, Unknown) else each.operations for each in works]


def matrix_data(
    figures: Figures, cells: Sequence[CellKey], made: FunctionMatrix, links: FrameLinks
) -> MatrixData:
    """Return all functions and the call tree of the releases' profiles.

    Args:
        figures: of the report.
        cells: the releases, of one variant and step.
        made: what their profiles hold, in the same order.
        links: what of the report was drawn.
    """
    functions, tree = made.functions, made.tree
    variant, step = cells[0].step_key
    all_operations = operations_of(figures, cells)
    costs = [
        total / operations
        for total, operations in zip(made.totals, all_operations, strict=True)
        if operations
    ]
    factor, unit = figures.main_cost_unit(variant, step).shown(costs)
    return MatrixData(
        unit=figures.events[variant, step][1],
        factor=factor,
        cost_unit=unit,
        releases=tuple(
            MatrixRelease(
                label=figures.study.label(cell.release),
                total=_weight(total),
                operations=operations,
                graph=links.graph(cell),
            )
            for cell, total, operations in zip(cells, made.totals, all_operations, strict=True)
        ),
        key=tuple(each.key[:LONGEST_KEY] for each in functions),
        name=tuple(_other_name(each) for each in functions),
        class_=tuple(each.frame_class for each in functions),
        totals=_by_release(each.totals for each in functions),
        selfs=_by_release(each.selfs for each in functions),
        depth=_depths(tree.parent),
        function=tree.function,
        self_=tuple(tuple(map(_weight, own)) for own in tree.selfs),
    )


def _by_release(rows: Iterable[Sequence[int]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(_weight, own)) for own in zip(*rows, strict=True))


def _other_name(function: MatrixFunction) -> str | None:
    name = row_name(function.name)
    return None if name == function.key else name


def _depths(parents: Sequence[int]) -> tuple[int, ...]:
    depths = list[int]()
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return tuple(depths)


def _weight(weight: int) -> float:
    return weight if weight <= LARGEST_EXACT else float(weight)
