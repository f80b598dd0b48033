"""Where tables hold the newest releases only, files hold all."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from perfpress.analysis.study.study import Study
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.history_files import COLUMNS, publish_history
from perfpress.site.downloads.metrics_files import (
    compressed_rows,
    metrics_csv,
    publish_compressed_metrics,
)
from perfpress.site.figures.comparison_charts import step_comparison_chart
from perfpress.site.figures.releases_chart import releases_table
from perfpress.site.nearby_releases import MOST, cells_of_step, newest_cells
from perfpress.site.report_figures import Figures
from perfpress.site.tables.throughput import relative_tables, throughput_table
from step_run_samples import step_run
from study_samples import study_of

COUNT = MOST + 5
VARIANT, STEP = "socket2", "select"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Study:
    directory = tmp_path_factory.mktemp("many")
    releases = [f"r{at:02}" for at in range(COUNT)]
    runs = [
        step_run(directory / each, 1000.0 + at, changes={"release": each})
        for at, each in enumerate(releases)
    ]
    return study_of(runs)


def test_tables_hold_the_base_and_the_newest_and_say_so(many: Study) -> None:
    figures = Figures(many)
    newest = ["r00", *(f"r{at:02}" for at in range(6, COUNT))]
    note = f"{MOST} of {COUNT} releases: the base and the newest."
    to_base, to_previous = relative_tables(figures, VARIANT)
    for table in (to_base, to_previous, throughput_table(figures, VARIANT)):
        assert [column.key for column in table.columns] == newest
        assert note in table.notes
    charted = [column.key for column in releases_table(figures, VARIANT).columns]
    assert charted[:MOST] == newest
    planned = step_comparison_chart(figures, VARIANT, STEP)
    assert planned is not None
    cells = newest_cells(many, cells_of_step(many, VARIANT, STEP), MOST)
    assert [cell.release for cell in cells] == newest


def test_a_file_holds_all_releases_of_a_step(many: Study, tmp_path: Path) -> None:
    cells = cells_of_step(many, VARIANT, STEP)
    (link,) = publish_history(Figures(many), cells, SiteDirectory(tmp_path))
    assert link.url == "/reports/servers/steps/select/releases.csv"
    text = (tmp_path / "static" / link.url.lstrip("/")).read_text()
    head, *rows = csv.reader(io.StringIO(text))
    assert tuple(head) == COLUMNS
    assert [row[0] for row in rows] == [f"r{at:02}" for at in range(COUNT)]
    row = dict(zip(head, rows[20], strict=True))
    assert float(row["median"]) == 1020.0
    assert float(row["ratio_to_base"]) == pytest.approx(1.02)
    assert row["runs"] == "1"


def test_compressed_metrics_are_those_of_all_releases_in_order(many: Study, tmp_path: Path) -> None:
    figures = Figures(many)
    pieces = [
        compressed_rows(figures.rows_of(*some)) for some in (("r00", "r01"), ("r02",), ("r03",))
    ]
    (link,) = publish_compressed_metrics(
        pieces, "/reports/servers/", SiteDirectory(tmp_path / "site")
    )
    written = (tmp_path / "site" / "static" / link.url.lstrip("/")).read_bytes()
    assert gzip.decompress(written) == metrics_csv(figures.rows_of("r00", "r01", "r02", "r03"))
