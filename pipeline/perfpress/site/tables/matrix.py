"""The table of functions by release: their shares of each profile of a step."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from perfpress.analysis.profiles.cost import CostUnit
from perfpress.analysis.profiles.function_matrix import (
    FunctionMatrix,
    MatrixFunction,
    function_matrix,
)
from perfpress.analysis.profiles.profile import joined_keys
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import (
    NO_VALUE,
    common_namespace,
    decimals_for,
    fixed,
    plural,
    row_name,
    signed,
)
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Link, Row, Table
from perfpress.site.shapes.matrix import Matrix, MatrixRow
from perfpress.site.tables.columns import (
    Column,
    filled_with_functions,
    row_keys,
)
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.function_changes import function_changes_table
from perfpress.site.tables.matrix_data import matrix_data, operations_of

MOST_ROWS = 100
"""Functions that the page itself holds; the file next to it has all."""
LINE_BOX = (60, 16)


@dataclass(frozen=True)
class FunctionTables:
    """The tables of functions on the page of all releases of a step."""

    summary: tuple[str, ...]
    changes: Table | None
    """Since which release functions cost more or less."""
    matrix: Matrix
    others: tuple[Table, ...]
    """The same functions by self, and by cost per operation where that is known."""


def function_tables_by_release(
    figures: Figures, cells: Sequence[CellKey], links: FrameLinks
) -> FunctionTables | None:
    """Return the functions of a step by release; None where no release has a profile.

    Args:
        figures: of the report.
        cells: one a release.
        links: to frames of graphs.
    """
    profiled = [cell for cell in cells if figures.main(cell)]
    profiles = [each for each in map(figures.main_profile, profiled) if each is not None]
    if not profiles:
        return None
    made = function_matrix(profiles, joined_keys(figures.study.report.aliases))
    tables = _Tables(figures, profiled, made, links)
    shown = made.functions[:MOST_ROWS]
    return FunctionTables(
        summary=tables.summary(),
        changes=function_changes_table(figures, profiled, made),
        matrix=tables.matrix(shown),
        others=tuple(tables.other_tables(shown)),
    )


@dataclass(frozen=True)
class _Tables:
    figures: Figures
    cells: Sequence[CellKey]
    """The releases that have a profile, in order."""
    made: FunctionMatrix
    links: FrameLinks

    @property
    def first(self) -> CellKey:
        return self.cells[0]

    @property
    def unit(self) -> str:
        return self.figures.events[self.first.step_key][1]

    @property
    def cost_unit(self) -> CostUnit:
        return self.figures.main_cost_unit(self.first.variant, self.first.step)

    @property
    def address(self) -> str:
        report = self.figures.study.report
        return all_releases_address(report, self.first.step, self.first.variant)

    @property
    def labels(self) -> list[str]:
        return [self.figures.study.label(cell.release) for cell in self.cells]

    def step_page(self, cell: CellKey) -> str:
        return cell_url(self.figures.study, cell)

    def summary(self) -> tuple[str, ...]:
        return (
            f"{plural(len(self.made.functions), 'function')} in the profiles of "
            f"{plural(len(self.cells), 'release')}.",
            f"All numbers are over the whole profile of {self.unit}: a function counts wherever "
            "it was called.",
        )

    def matrix(self, shown: Sequence[MatrixFunction]) -> Matrix:
        first, last = self.labels[0], self.labels[-1]
        data = self.links.directory.write_download(
            f"{self.address}functions.json",
            msgspec.json.encode(matrix_data(self.figures, self.cells, self.made, self.links)),
            "All functions and the call tree, JSON",
        )
        more = len(self.made.functions) - len(shown)
        cut = (f"{more:,} more functions are in the file below.",) if more else ()
        return Matrix(
            id="matrix",
            caption=f"Total of each function in percent of {self.unit}, over the whole profile",
            releases=tuple(
                Link(label=label, url=self.step_page(cell))
                for label, cell in zip(self.labels, self.cells, strict=True)
            ),
            keys=tuple(slug(cell.release) for cell in self.cells),
            line_box=f"0 0 {LINE_BOX[0]} {LINE_BOX[1]}",
            rows=tuple(
                self.row(key, each)
                for key, each in zip(row_keys(each.name for each in shown), shown, strict=True)
            ),
            namespace=common_namespace(each.name for each in shown),
            notes=(
                "Functions are in the order of their largest share in any release. The total has "
                "everything that the function called; a sample counts once, however the function "
                "recurs.",
                f"The change is from {first} to {last}.",
                *cut,
            ),
            data=data.url,
            downloads=(data,),
        )

    def row(self, key: str, function: MatrixFunction) -> MatrixRow:
        shares = self.shares(function.totals)
        return MatrixRow(
            key=key,
            name=row_name(function.name),
            cells=tuple(
                fixed(100 * share, 2) if weight else NO_VALUE
                for share, weight in zip(shares, function.totals, strict=True)
            ),
            largest=max(shares),
            change=signed(100 * (shares[-1] - shares[0]), 2),
            line=line_points(shares),
        )

    def shares(self, weights: Sequence[int]) -> list[float]:
        wholes = self.made.totals
        return [
            weight / whole if whole else 0.0 for weight, whole in zip(weights, wholes, strict=True)
        ]

    def other_tables(self, shown: Sequence[MatrixFunction]) -> list[Table]:
        own = sorted(self.made.functions, key=lambda each: -max(self.shares(each.selfs)))
        heaviest = [each for each in own[:MOST_ROWS] if any(each.selfs)]
        tables = [
            self.table(
                "self",
                f"Self of each function in percent of {self.unit}, over the whole profile",
                [self.self_column(at) for at in range(len(self.cells))],
                heaviest,
            )
        ]
        operations = operations_of(self.figures, self.cells)
        if any(operations):
            tables.append(
                self.table(
                    "cost",
                    f"Cost of each function per {self.cost_unit.operation}, over the whole profile",
                    self.cost_columns(shown, operations),
                    shown,
                )
            )
        return tables

    def self_column(self, at: int) -> Column[MatrixFunction]:
        whole = self.made.totals[at]

        def percent(function: MatrixFunction) -> Cell:
            share = 100 * (function.selfs[at] / whole if whole else 0.0)
            return _number(share, 2)

        return Column(slug(self.cells[at].release), self.labels[at], percent, unit="%", stays=True)

    def cost_columns(
        self, shown: Sequence[MatrixFunction], operations: Sequence[float | None]
    ) -> list[Column[MatrixFunction]]:
        """Return the cost of functions per operation; the numbers share unit and decimals."""
        known = [
            weight / done
            for function in shown
            for weight, done in zip(function.totals, operations, strict=True)
            if done and weight
        ]
        factor, unit = self.cost_unit.shown(known)
        decimals = decimals_for(cost * factor for cost in known)

        def column(at: int) -> Column[MatrixFunction]:
            done = operations[at]

            def cost(function: MatrixFunction) -> Cell:
                return _number(function.totals[at] / done * factor if done else None, decimals)

            label, release = self.labels[at], self.cells[at].release
            return Column(slug(release), label, cost, unit=unit, stays=True)

        return [column(at) for at in range(len(self.cells))]

    def table(
        self,
        kind: str,
        caption: str,
        columns: Sequence[Column[MatrixFunction]],
        functions: Sequence[MatrixFunction],
    ) -> Table:
        return filled_with_functions(
            Table(id=f"matrix-{kind}", caption=caption),
            columns,
            functions,
            lambda each: each.name,
            lambda each, key: Row(key=key, label=row_name(each.name)),
        )


def _number(value: float | None, decimals: int) -> Cell:
    return Cell(text=fixed(value, decimals), sort=value) if value else Cell(text=NO_VALUE)


def line_points(shares: Sequence[float]) -> str:
    """Return the points of a line over the releases, from 0 at the foot of its box."""
    width, height = LINE_BOX
    top = max(shares) or 1.0
    step = (width - 4) / max(1, len(shares) - 1)
    return " ".join(
        f"{2 + at * step:.1f},{height - 2 - share / top * (height - 4):.1f}"
        for at, share in enumerate(shares)
    )
