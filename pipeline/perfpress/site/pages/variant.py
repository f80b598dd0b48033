"""The page of one variant: throughput, efficiency and latency of all steps and releases."""

from msgspec.structs import replace

from perfpress.site.addresses import all_releases_address, report_address, variant_address
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Link, Row, Table
from perfpress.site.shapes.pages import Place, VariantPage
from perfpress.site.tables.efficiency import efficiency_tables
from perfpress.site.tables.level_changes import change_groups_table
from perfpress.site.tables.response_times import percentile_tables
from perfpress.site.tables.throughput import relative_tables, throughput_table
from perfpress.site.words.measure_again import measure_again
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.newest_release import newest_release_sentences
from perfpress.site.words.verdict_sentences import plain


def variant_page(parts: ReportParts, variant: str) -> VariantPage:
    """Return a variant's page."""
    figures, report = parts.figures, parts.report
    opening = newest_release_sentences(figures, variant, parts.findings)
    has_rates = variant_has_rates(figures, variant)
    name = report.variants[variant]
    picture, previous = (
        relative_tables(figures, variant, parts.base_values[variant])
        if has_rates
        else (parts.functions_table(variant), None)
    )
    return VariantPage(
        place=Place(
            path=variant_address(report, variant),
            title=f"All steps on {name}, {report.title}",
            heading=f"All steps on {name}",
            description=" ".join(
                (f"All releases and steps of {report.title}, {name}.", plain(opening[:1]))
            ).strip(),
            breadcrumbs=(
                Link(label="Reports", url="/reports/"),
                Link(label=report.title, url=report_address(report)),
            ),
            related=tuple(
                Link(label=label, url=variant_address(report, other), note="another variant")
                for other, label in report.variants.items()
                if other != variant
            ),
        ),
        opening=opening,
        picture=picture,
        levels=change_groups_table(figures, variant, parts.common_functions),
        again=measure_again(figures, variant),
        previous=previous and _led_by_rows(parts, variant, previous),
        by_release=parts.by_release.get(variant),
        throughput=_led_by_rows(parts, variant, throughput_table(figures, variant))
        if has_rates
        else None,
        efficiency=efficiency_tables(figures, variant),
        response_times=tuple(
            _led_by_rows(parts, variant, table) for table in percentile_tables(figures, variant)
        ),
    )


def _led_by_rows(parts: ReportParts, variant: str, table: Table) -> Table:
    """Return a grid whose rows lead to their steps, in place of its cells.

    The cells of the page's first grid lead to the same places. Thousands of links more are half
    of a page of thirty releases and forty steps, and are stops for who reads it by keyboard.
    """
    study = parts.study

    def led(row: Row) -> Row:
        has_history = bool(cells_of_step(study, variant, row.label))
        return replace(
            row,
            url=all_releases_address(study.report, row.label, variant) if has_history else "",
            cells=tuple(replace(cell, url="") for cell in row.cells),
        )

    return replace(table, rows=tuple(map(led, table.rows)))
