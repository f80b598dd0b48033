"""The page of one variant: throughput, efficiency and latency of all steps and releases."""

from perfpress.site.addresses import report_address, variant_address
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Link
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
    opening = newest_release_sentences(figures, variant, parts.findings)[:1]
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
                (f"All releases and steps of {report.title}, {name}.", plain(opening))
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
        previous=previous,
        by_release=parts.by_release.get(variant),
        throughput=throughput_table(figures, variant) if has_rates else None,
        efficiency=efficiency_tables(figures, variant),
        response_times=percentile_tables(figures, variant),
    )
