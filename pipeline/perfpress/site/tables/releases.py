"""The table of the releases of a report: how many of its steps each changed."""

from collections.abc import Sequence
from dataclasses import replace

from perfpress.base.display import NO_VALUE
from perfpress.base.slugs import slug
from perfpress.input.report.front_matter import Release
from perfpress.site.addresses import release_address
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.words.verdict_sentences import brief_counts

STATED = ("version", "date", "branch")
"""Columns of what the report file says of a release."""


def release_list(figures: Figures, releases: Sequence[str], caption: str) -> Table:
    """Return a table with a row for each of some releases.

    One with a part of them has the columns that all parts have: a script puts their rows together.
    """
    study = figures.study
    report = study.report

    base = study.base_of(report.default_variant)

    def against_previous(release: Release) -> Cell:
        previous = study.previous(release.id, (report.default_variant,))
        return _counts(figures, release.id, previous)

    def runs(release: Release) -> Cell:
        count = len(study.runs_of(release.id))
        return Cell(text=str(count), sort=count)

    columns: tuple[Column[Release], ...] = (
        Column(
            "base",
            f"Steps against {study.label(base)}",
            lambda release: _counts(figures, release.id, base),
            numeric=False,
            meaning=f"verdicts on {report.variants[report.default_variant]}",
        ),
        Column("previous", "Steps against previous", against_previous, numeric=False),
        Column(
            "version", "Version", lambda each: Cell(text=each.version or NO_VALUE), numeric=False
        ),
        Column(
            "date",
            "Date",
            lambda each: Cell(text=each.date.isoformat() if each.date else NO_VALUE),
            numeric=False,
        ),
        Column("branch", "Branch", lambda each: Cell(text=each.branch or NO_VALUE), numeric=False),
        Column("runs", "Runs", runs),
    )
    if len(releases) < len(study.measured):
        known = {
            key
            for release in map(report.release, study.measured)
            for key in STATED
            if getattr(release, key)
        }
        columns = tuple(
            replace(column, stays=True)
            for column in columns
            if column.key in known or column.key not in STATED
        )
    rows = (
        Row(
            key=slug(release),
            label=study.label(release),
            url=release_address(report, release),
            note="base" if release == base else "",
        )
        for release in releases
    )
    return filled(
        Table(
            id="releases-table",
            caption=caption,
            row_head="Release",
        ),
        columns,
        zip(rows, map(report.release, releases), strict=True),
    )


def _counts(figures: Figures, release: str, base: str | None) -> Cell:
    """Return how many steps of a release have each verdict, for the default variant."""
    variant = figures.study.report.default_variant
    counts = brief_counts(figures, release, variant, base) if base else ""
    return Cell(text=counts or NO_VALUE)
