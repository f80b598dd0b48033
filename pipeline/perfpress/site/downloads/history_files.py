"""`releases.csv`: one step in all releases, where tables hold only the newest."""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.site.addresses import all_releases_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.formats.spreadsheet import csv_text
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Link

COLUMNS = ("release", "runs", "median", "low", "high", "ratio_to_base", "against_base")


def publish_history(
    figures: Figures, cells: Sequence[CellKey], directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write the throughput of all releases of a step, a line each; return the link to it.

    Args:
        figures: of the report.
        cells: one a release, at least one.
        directory: where the site's files go.
    """
    page = all_releases_address(figures.study.report, cells[0].step, cells[0].variant)
    content = csv_text([COLUMNS, *(_line(figures, cell) for cell in cells)]).encode()
    return (directory.write_download(f"{page}releases.csv", content, "All releases, CSV"),)


def _line(figures: Figures, cell: CellKey) -> tuple[object, ...]:
    summary = figures.summaries["throughput"].get(cell)
    base = figures.study.base_of(cell.variant)
    verdict = next((each for each in figures.verdicts.briefs(cell) if each.base == base), None)
    rates = (summary.median, summary.low, summary.high) if summary else ("", "", "")
    return (
        figures.study.label(cell.release),
        len(summary.values) if summary else 0,
        *rates,
        verdict.ratio if verdict and verdict.ratio is not None else "",
        verdict.words if verdict else "",
    )
