"""How tables over all releases are laid out: a row a step, in groups, and a column a release.

Each column shows one variant, so that like is compared with like: the table's own, or, where a
release was not measured on that, the nearest one, which the head of the column names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import geometric_mean

from msgspec.structs import replace

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.stand_in_variants import LikeVariants, like_variants
from perfpress.analysis.study.study import Study
from perfpress.base.display import NO_VALUE, fixed, plural
from perfpress.base.slugs import slug
from perfpress.site.nearby_releases import MOST, newest_releases, shown_note
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled

OTHER_STEPS = "Other steps"
MEAN_DECIMALS = 2

ReleaseVariant = tuple[str, str]
"""A release and the variant that it was measured on."""


@dataclass(frozen=True)
class Overview:
    """The steps and releases that the tables of one variant are of."""

    study: Study
    variant: str
    only: tuple[str, ...] = ()
    """Releases to show; empty for the base and the newest ones."""

    @cached_property
    def like(self) -> LikeVariants:
        """The variant shown in place of another."""
        return like_variants(self.study)

    @cached_property
    def base(self) -> str:
        """The release that numbers are relative to.

        That of the report; where neither the variant nor one like it ran that, the variant's first.
        """
        base = self.study.report.base
        is_there = self.like.of_release(base, self.variant) is not None
        return base if is_there else self.study.base_of(self.variant)

    @cached_property
    def _measured(self) -> Mapping[str, str]:
        """The variants that releases were measured on, by release, in their order."""
        found = (
            (release.id, self.like.of_release(release.id, self.variant))
            for release in self.study.report.releases
        )
        return {release: variant for release, variant in found if variant is not None}

    @property
    def releases(self) -> tuple[str, ...]:
        """All that there are columns of, shown or not."""
        return tuple(self._measured)

    @cached_property
    def release_variants(self) -> tuple[ReleaseVariant, ...]:
        """What the columns are of, in the order of the releases."""
        shown = self.only or newest_releases(self.releases, self.base, MOST)
        return tuple((release, self._measured[release]) for release in shown)

    @property
    def note(self) -> tuple[str, ...]:
        """Which releases the columns are, where they are the newest of more."""
        shown = tuple(release for release, _ in self.release_variants)
        if shown != newest_releases(self.releases, self.base, len(shown)):
            return ()
        note = shown_note(len(shown), len(self.releases))
        return (note,) if note else ()

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The steps that any of the columns has runs of."""
        return tuple(
            step
            for step in self.study.report.steps
            if any(self.study.of_cell(cell) for cell in self.cells(step))
        )

    def cells(self, step: str) -> tuple[CellKey, ...]:
        """Return the cells of a row, one a column."""
        return tuple(CellKey(release, variant, step) for release, variant in self.release_variants)

    def other(self, release: str | None, cell: CellKey) -> CellKey | None:
        """Return what a cell is compared with: the same of another release, or what is nearest."""
        variant = self.like.of_release(release, cell.variant) if release else None
        return CellKey(release, variant, cell.step) if release and variant else None

    def columns(
        self,
        shown: Callable[[CellKey], Cell],
        compared: Callable[[str], str | None] | None = None,
    ) -> tuple[Column[str], ...]:
        """Return a column for each release; rows are about steps.

        Args:
            shown: of a release, variant and step.
            compared: returns what release each release is compared with, where one is.
        """

        def column(release: str, variant: str) -> Column[str]:
            return Column(
                slug(release),
                self.study.label(release),
                lambda step: shown(CellKey(release, variant, step)),
                unit=self._difference(release, variant, compared),
            )

        return tuple(column(*each) for each in self.release_variants)

    def _difference(
        self, release: str, variant: str, compared: Callable[[str], str | None] | None
    ) -> str:
        """Return the configuration if it differs from the table's: `z12a`, or `z12b → z12a`."""
        with_release = compared(release) if compared else None
        base = self.like.of_release(with_release, variant) if with_release else None
        if base is not None and base != variant:
            return self.like.difference(base, variant)
        return "" if variant == self.variant else self.like.config(variant)

    def table(
        self, empty: Table, columns: Sequence[Column[str]], unit_of: Mapping[str, str] | None = None
    ) -> Table:
        """Return a table with a row for each step, under the headings of the report's groups.

        Args:
            empty: without columns and rows.
            columns: one for each release.
            unit_of: the units of steps, each shown where they differ.
        """
        has_units = unit_of and len({unit_of[step] for step in self.steps}) > 1
        rows = (
            Row(
                key=slug(step),
                label=step,
                unit=unit_of[step] if unit_of and has_units else "",
                group=self._groups.get(step, OTHER_STEPS if self._groups else ""),
            )
            for step in self.steps
        )
        notes = (*empty.notes, *self.note)
        empty = replace(empty, row_head="Step", by_release=True, notes=notes)
        return filled(empty, columns, zip(rows, self.steps, strict=True))

    @cached_property
    def _groups(self) -> Mapping[str, str]:
        groups = reversed(self.study.report.matter.step_groups)
        return {step: group.title for group in groups for step in group.steps}


def with_means(rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], str]:
    """Return the geometric means of ratios, by group and of all, and which steps they are over.

    They cover only the steps that every column has, so that all means of a row cover the same.
    """
    complete = [row for row in rows if all(cell.sort is not None for cell in row.cells)]
    note = (
        f"Geometric means cover the {len(complete)} of {plural(len(rows), 'step')} that every "
        "release here has."
    )
    if len(complete) < 2:
        return (), "" if len(rows) < 2 else "No geometric mean: fewer than two steps are in all."
    groups = [(title, list(own)) for title, own in groupby(complete, key=lambda row: row.group)]
    means = [
        _mean_row(f"@mean-{slug(title)}", title, own)
        for title, own in groups
        if title and len(own) > 1
    ]
    return (*(means if len(means) > 1 else ()), _mean_row("@mean", "all", complete)), note


def _mean_row(key: str, title: str, rows: list[Row]) -> Row:
    columns = zip(*(row.cells for row in rows), strict=True)
    return Row(
        key=key,
        label=f"Geometric mean, {title}",
        unit=plural(len(rows), "step"),
        group=title if title != "all" else "",
        cells=tuple(_mean_cell([cell.sort or 0 for cell in column]) for column in columns),
    )


def _mean_cell(ratios: list[float]) -> Cell:
    if min(ratios) <= 0:
        return Cell(text=NO_VALUE)
    mean = geometric_mean(ratios)
    return Cell(text=fixed(mean, MEAN_DECIMALS), sort=mean)
