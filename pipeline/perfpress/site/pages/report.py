"""The page of a report: its summary, and what its text can show."""

from perfpress.analysis.study.study import Study
from perfpress.base.kept_results import Kept
from perfpress.site.addresses import (
    compare_address,
    report_address,
    variant_address,
)
from perfpress.site.cell_pages import FEW
from perfpress.site.downloads.metrics_files import (
    compressed_rows,
    publish_compressed_metrics,
    publish_metrics,
)
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

RELEASES_AT_ONCE = 16
"""In one frame of all metrics: a new run changes the rows of one, and the others' are kept."""


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
    figures, study = parts.figures, parts.study
    releases = study.measured
    if len(releases) <= FEW:
        return publish_metrics(figures.rows_of(*releases), address, parts.directory)

    def rows(start: int, kept: Kept[bytes]) -> bytes:
        some = releases[start : start + RELEASES_AT_ONCE]
        return kept(study.runs_key(*some), lambda: compressed_rows(figures.rows_of(*some)))

    with study.kept.of(("metrics.csv", study.report.id), bytes) as kept:
        pieces = (rows(start, kept) for start in range(0, len(releases), RELEASES_AT_ONCE))
        return publish_compressed_metrics(pieces, address, parts.directory)


def _comparison(study: Study) -> tuple[Link, ...]:
    """Return the link to comparisons, where there are two releases to compare."""
    if len({each.cell.release for each in study.step_runs}) < 2:
        return ()
    url = compare_address(study.report)
    return (Link(label="Compare any two releases", url=url, note="in your browser"),)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
