"""Drilldowns as files beside the page of their step."""

from pipeline.analysis.drilldown import VIEWS, DrilldownFigures, ReleaseRow
from pipeline.drilldown_files.formats import FORMATS, letters
from pipeline.drilldown_files.sheet import Sheet, SheetRow
from pipeline.report.front_matter import DrilldownDefinition
from pipeline.site_data.addresses import all_releases_address
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Link
from pipeline.slug import slug
from pipeline.study.profiles import CellKey


def downloads_of(
    figures: Figures,
    definition: DrilldownDefinition,
    step: str,
    made: DrilldownFigures,
    directory: SiteDirectory,
) -> tuple[Link, ...]:
    """Write a drilldown in all formats, each with both views; return the links."""
    sheets = [
        Sheet(
            columns=made.columns,
            letters=letters(len(made.columns)),
            row_head="version",
            rows=tuple(_row(figures, step, row) for row in rows),
            view=f"{step} - {view}",
            numbers=definition.numbers,
            operation=figures.study.operation(step),
        )
        for view, rows in (
            (VIEWS["along_path"], made.along_path),
            (VIEWS["whole_profile"], made.whole_profile),
        )
    ]
    report = figures.study.report
    folder = all_releases_address(report, step, report.default_variant)
    return tuple(
        directory.write_download(
            f"{folder}drilldown-{slug(definition.name)}.{each.suffix}",
            each.written(sheets).encode("utf-8", "replace"),
            each.label,
        )
        for each in FORMATS.values()
    )


def _row(figures: Figures, step: str, row: ReleaseRow) -> SheetRow:
    report = figures.study.report
    profile = figures.main_profile(CellKey(row.release, report.default_variant, step))
    label = figures.study.label(row.release)
    version = report.release(row.release).version
    return SheetRow(
        label=f"{label}, {version}" if version and version != label else label,
        event=profile.event if profile else "",
        unit=profile.unit if profile else "",
        total=profile.total if profile else None,
        cells=row.cells,
    )
