"""The page of all releases of a step: which function takes which part of each."""

from collections.abc import Iterator, Mapping, Sequence
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
from pipeline.site_data.addresses import (
    all_releases_address,
    comparison_address,
    report_address,
    step_address,
)
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.figures import Figures
from pipeline.site_data.matrix_data import LONGEST_KEY, matrix_data, operations_of
from pipeline.site_data.matrix_shapes import (
    Matrix,
    MatrixPage,
    MatrixRow,
)
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import CallTree, Cell, Column, Drilldown, Link, Place, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.units import shown_in

MOST_ROWS = 100
"""Functions that the page itself holds; the file beside it has all."""
COURSE_BOX = (60, 16)


def matrix_pages(
    figures: Figures,
    links: FrameLinks,
    drilldowns: Mapping[tuple[str, str], Drilldown],
    calltrees: Mapping[tuple[str, str], CallTree],
) -> Iterator[MatrixPage]:
    """Yield the pages of all steps and variants that have a profile.

    Args:
        figures: of the report.
        links: what of the report was drawn, and where files go.
        drilldowns: by name and step, of the default variant.
        calltrees: by name and step, of the default variant.
    """
    report = figures.study.report
    for variant in report.variants:
        own = variant == report.default_variant
        for step in report.steps:
            releases = figures.study.releases_with(variant, step)
            cells = [CellKey(each, variant, step) for each in releases]
            cells = [cell for cell in cells if figures.main(cell)]
            profiles = [each for each in map(figures.main_profile, cells) if each is not None]
            if profiles:
                made = function_matrix(profiles, joined_keys(report.aliases))
                yield _Page(figures, cells, made, links).page(
                    tuple(each for (_, of), each in drilldowns.items() if own and of == step),
                    tuple(each for (_, of), each in calltrees.items() if own and of == step),
                )


@dataclass(frozen=True)
class _Page:
    figures: Figures
    cells: Sequence[CellKey]
    """The releases that have a profile, in order."""
    made: FunctionMatrix
    links: FrameLinks

    def page(
        self, drilldowns: tuple[Drilldown, ...], calltrees: tuple[CallTree, ...]
    ) -> MatrixPage:
        shown = self.made.functions[:MOST_ROWS]
        return MatrixPage(
            place=self.place(),
            summary=self.summary(),
            matrix=self.matrix(shown),
            others=tuple(self.other_tables(shown)),
            drilldowns=drilldowns,
            calltrees=calltrees,
        )

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

    def place(self) -> Place:
        report = self.figures.study.report
        step, variant = self.first.step, self.first.variant
        others = [
            each
            for each in report.variants
            if each != variant
            and any(
                self.figures.main(CellKey(release, each, step))
                for release in self.figures.study.releases_with(each, step)
            )
        ]
        return Place(
            path=self.address,
            title=f"{step} on all releases, {report.title}",
            heading=f"{step} on all releases",
            description=f"Functions of {step} by release; {report.variants[variant]}.",
            breadcrumbs=(
                Link(label="Reports", url="/reports/"),
                Link(label=report.title, url=report_address(report)),
            ),
            related=(
                *(
                    Link(
                        label=report.variants[each],
                        url=all_releases_address(report, step, each),
                        note="another variant",
                    )
                    for each in others
                ),
                *(
                    Link(label=f"{step} on {label}", url=self.step_page(cell))
                    for cell, label in zip(self.cells, self.labels, strict=True)
                ),
                *self.comparison(),
            ),
        )

    def comparison(self) -> tuple[Link, ...]:
        """Return the link to a comparison of the first release and the last, if they are two."""
        first, last = self.cells[0], self.cells[-1]
        if first == last:
            return ()
        report = self.figures.study.report
        url = comparison_address(report, last.step, last.variant, first.release, last.release)
        return (Link(label="Compare any two releases", url=url, note="in your browser"),)

    def step_page(self, cell: CellKey) -> str:
        return step_address(self.figures.study.report, cell.release, cell.step, cell.variant)

    def summary(self) -> tuple[str, ...]:
        variant = self.figures.study.report.variants[self.first.variant]
        return (
            f"{plural(len(self.made.functions), 'function')} in the profiles of "
            f"{plural(len(self.cells), 'release')}; {variant}.",
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
