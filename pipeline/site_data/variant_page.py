"""The page of one variant: all steps and releases beside each other, by all that was counted."""

import msgspec

from pipeline.site_data.addresses import report_address, variant_address
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.efficiency_tables import efficiency_tables
from pipeline.site_data.figures import Figures
from pipeline.site_data.page_shapes import Place, VariantPage
from pipeline.site_data.profile_cells import profiles_overview, variant_tells_rates
from pipeline.site_data.response_time_tables import percentile_tables
from pipeline.site_data.shapes import Chart, Link
from pipeline.site_data.throughput_tables import base_values, relative_tables, throughput_table
from pipeline.site_data.verdict_sentences import newest_sentences, plain


def variant_page(
    figures: Figures, variant: str, values: str, by_release: Chart | None
) -> VariantPage:
    """Put a variant's page together.

    Args:
        figures: of the report.
        variant: its slug.
        values: the address that `publish_base_values` gave.
        by_release: the chart of all steps relative to the base.
    """
    report = figures.study.report
    opening = newest_sentences(figures, variant)
    has_rates = variant_tells_rates(figures, variant)
    name = report.variants[variant]
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
        relative=relative_tables(figures, variant, values) if has_rates else (),
        by_release=by_release,
        throughput=throughput_table(figures, variant) if has_rates else None,
        profiles=None if has_rates else profiles_overview(figures, variant),
        efficiency=efficiency_tables(figures, variant),
        response_times=percentile_tables(figures, variant),
    )


def publish_base_values(figures: Figures, variant: str, directory: SiteDirectory) -> str:
    """Write what the ratios of a variant are made from; return its address."""
    address = f"{variant_address(figures.study.report, variant)}values.json"
    content = msgspec.json.encode(base_values(figures, variant))
    return directory.write_download(address, content, "Medians, JSON").url
