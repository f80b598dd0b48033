"""The page of a report: its summary, and what its text can show."""

from perfpress.analysis.study.study import Study
from perfpress.site.addresses import (
    compare_address,
    report_address,
    variant_address,
)
from perfpress.site.cell_pages import FEW
from perfpress.site.downloads.metrics_files import publish_compressed_metrics, publish_metrics
from perfpress.site.pages.releases import newest_releases_table, pages_of_releases
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Link
from perfpress.site.shapes.pages import Place, ReportPage
from perfpress.site.shortcodes.registry import shown_in_text
from perfpress.site.tables.level_changes import change_groups_table
from perfpress.site.tables.runs import correction_notices
from perfpress.site.tables.throughput import relative_tables
from perfpress.site.words.measure_again import measure_again
from perfpress.site.words.measured import summary_of, variant_has_rates
from perfpress.site.words.newest_release import newest_release_sentences
from perfpress.site.words.verdict_sentences import plain


def report_page(parts: ReportParts) -> ReportPage:
    """Return a report's page, and publish its numbers."""
    figures, study, report = parts.figures, parts.study, parts.report
    default = report.default_variant
    opening = newest_release_sentences(figures, default, parts.findings)
    in_text = shown_in_text(parts)
    place = Place(
        path=report_address(report),
        title=report.title,
        heading=report.title,
        description=" ".join(
            (_sentence(report.matter.summary or summary_of(study)), plain(opening[:1]))
        ).strip(),
        breadcrumbs=(Link(label="Reports", url="/reports/"),),
        related=_comparison(study),
    )
    return ReportPage(
        place=place,
        opening=opening,
        picture=relative_tables(figures, default, parts.base_values[default])[0]
        if variant_has_rates(figures, default)
        else parts.functions_table(default),
        levels=change_groups_table(figures, default, parts.common_functions),
        again=measure_again(figures, default),
        releases=newest_releases_table(figures),
        release_pages=pages_of_releases(study),
        variants=tuple(
            Link(label=name, url=variant_address(report, variant))
            for variant, name in report.variants.items()
            if len(report.variants) > 1 or variant_has_rates(figures, variant)
        ),
        shown=in_text.shown,
        names=in_text.names,
        missing=in_text.missing,
        corrections=correction_notices(study.runs),
        downloads=_downloads(parts, place.path),
    )


def _downloads(parts: ReportParts, address: str) -> tuple[Link, ...]:
    """Publish all numbers; compressed where the files of the releases are already many."""
    frame, directory = parts.figures.frame, parts.directory
    is_large = len(parts.study.measured) > FEW
    publish = publish_compressed_metrics if is_large else publish_metrics
    return publish(frame, address, directory)


def _comparison(study: Study) -> tuple[Link, ...]:
    """Return the link to comparisons, where there are two releases to compare."""
    if len({each.cell.release for each in study.step_runs}) < 2:
        return ()
    url = compare_address(study.report)
    return (Link(label="Compare any two releases", url=url, note="in your browser"),)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
