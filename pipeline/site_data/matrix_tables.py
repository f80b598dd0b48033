"""Functions by release: which function of a step takes which part of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pipeline.analysis.function_matrix import FunctionMatrix, MatrixFunction, function_matrix
from pipeline.display import (
    NO_VALUE,
    decimals_for,
    fixed,
    plural,
    short_name,
    signed,
)
from pipeline.paths.frame_path import function_path
from pipeline.profile import joined_keys
from pipeline.site_data.addresses import all_releases_address, step_address
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.figures import Figures
from pipeline.site_data.matrix_data import LONGEST_KEY, matrix_data, operations_of
from pipeline.site_data.matrix_shapes import Matrix, MatrixRow
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Link, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.units import shown_in

MOST_ROWS = 100
"""Functions that the page itself holds; the file beside it has all."""
COURSE_BOX = (60, 16)


@dataclass(frozen=True)
class FunctionTables:
    """What the page of all releases of a step says of functions."""

    summary: tuple[str, ...]
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
        links: what of the report was drawn, and where files go.
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
        return self.figures.events[self.first.variant, self.first.step][1]

    @property
    def address(self) -> str:
        report = self.figures.study.report
        return all_releases_address(report, self.first.step, self.first.variant)

    @property
    def labels(self) -> list[str]:
        return [self.figures.study.label(cell.release) for cell in self.cells]

    def step_page(self, cell: CellKey) -> str:
        return step_address(self.figures.study.report, cell.release, cell.step, cell.variant)

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
            course_box=f"0 0 {COURSE_BOX[0]} {COURSE_BOX[1]}",
            rows=tuple(
                self.row(key, each)
                for key, each in zip(row_keys(each.name for each in shown), shown, strict=True)
            ),
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
        change = 100 * (shares[-1] - shares[0])
        path = function_path(function.key, function.frame_class)
        return MatrixRow(
            key=key,
            name=short_name(function.name),
            cells=tuple(
                Cell(
                    text=fixed(100 * share, 2) if weight else NO_VALUE,
                    url=self.links.of(cell, path)[0] if weight and len(path) < LONGEST_KEY else "",
                    sort=share,
                )
                for cell, share, weight in zip(self.cells, shares, function.totals, strict=True)
            ),
            change=Cell(text=signed(change, 2), sort=change),
            course=course(shares),
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
                heaviest,
                [[100 * share for share in self.shares(each.selfs)] for each in heaviest],
                "%",
                2,
            )
        ]
        if any(operations_of(self.figures, self.cells)):
            costs = [self.costs(each.totals) for each in shown]
            known = [cost for row in costs for cost in row if cost]
            factor, unit = shown_in(self.unit, known)
            operation = self.figures.study.operation(self.first.step)
            scaled = [[cost and cost * factor for cost in row] for row in costs]
            tables.append(
                self.table(
                    "cost",
                    f"Cost of each function per {operation}, over the whole profile",
                    shown,
                    scaled,
                    f"{unit}/{operation}",
                    decimals_for(cost * factor for cost in known),
                )
            )
        return tables

    def costs(self, weights: Sequence[int]) -> list[float | None]:
        works = operations_of(self.figures, self.cells)
        return [
            None if operations is None else weight / operations
            for weight, operations in zip(weights, works, strict=True)
        ]

    def table(
        self,
        kind: str,
        caption: str,
        functions: Sequence[MatrixFunction],
        numbers: Sequence[Sequence[float | None]],
        unit: str,
        decimals: int,
    ) -> Table:
        return Table(
            id=f"matrix-{kind}",
            caption=caption,
            row_head="Function",
            columns=tuple(
                Column(key=slug(cell.release), label=label, unit=unit)
                for cell, label in zip(self.cells, self.labels, strict=True)
            ),
            rows=tuple(
                Row(
                    key=key,
                    label=short_name(function.name),
                    cells=tuple(
                        Cell(text=fixed(each, decimals), sort=each) if each else Cell(text=NO_VALUE)
                        for each in row
                    ),
                )
                for key, function, row in zip(
                    row_keys(each.name for each in functions), functions, numbers, strict=True
                )
            ),
        )


def course(shares: Sequence[float]) -> str:
    """Return the points of a line over the releases, from 0 at the foot of its box."""
    width, height = COURSE_BOX
    top = max(shares) or 1.0
    step = (width - 4) / max(1, len(shares) - 1)
    return " ".join(
        f"{2 + at * step:.1f},{height - 2 - share / top * (height - 4):.1f}"
        for at, share in enumerate(shares)
    )
