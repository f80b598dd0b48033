"""The downloads of all numbers: every digit, the same in both, no formulas."""

import csv
import io
import json
from pathlib import Path

from bundle_samples import pgbench_log
from perfpress.analysis.metrics.metrics import COLUMNS, metrics_frame
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.metrics_files import metrics_csv, metrics_json, publish_metrics
from step_run_samples import step_run

THIRD = 1 / 3


def test_both_files_hold_every_digit_and_the_same_rows(tmp_path: Path) -> None:
    metrics = {
        "odd": {"value": THIRD, "unit": "x"},
        "large": {"value": 123456789012345.67, "unit": "x"},
        "small": {"value": 1.2345678901234567e-50, "unit": "x"},
    }
    invalid = Exclusion("invalid", 'disk, "full"\nsaid the kernel', None)
    frame = metrics_frame(
        [
            step_run(tmp_path / "a", step={"metrics": metrics}),
            step_run(tmp_path / "b", files={"select.txt": pgbench_log(7.0)}, exclusion=invalid),
        ]
    )
    of_json = json.loads(metrics_json(frame))
    of_csv = list(csv.DictReader(io.StringIO(metrics_csv(frame).decode(), newline="")))
    assert list(of_csv[0]) == list(COLUMNS)
    assert [{name: str(value) for name, value in row.items()} for row in of_json] == of_csv
    by_name = {row["metric"]: row["value"] for row in of_json if row["in_figures"]}
    assert {name: by_name[name] for name in metrics} == {
        name: stated["value"] for name, stated in metrics.items()
    }
    for row in of_csv:
        if row["metric"] in metrics:
            assert float(row["value"]) == metrics[row["metric"]]["value"]
    assert any(row["why_not"].startswith("invalid: disk") for row in of_json)


def test_files_without_a_number_are_not_offered(tmp_path: Path) -> None:
    frame = metrics_frame([step_run(tmp_path / "a", files={"select.txt": pgbench_log(7.0)})])
    directory = SiteDirectory(tmp_path / "site")
    assert len(publish_metrics(frame, "/r/", directory)) == 2
    assert publish_metrics(frame.iloc[:0], "/r/bare/", directory) == ()


def test_no_text_is_a_formula_for_a_spreadsheet(tmp_path: Path) -> None:
    names = ("=1+1", "+1", "-1", "@x", "＝1+1", "plain", "|=1+1")
    metrics = {name: {"value": -1.0, "unit": name} for name in names}
    frame = metrics_frame([step_run(tmp_path / "a", step={"metrics": metrics})])
    rows = {
        row["metric"]: row
        for row in csv.DictReader(io.StringIO(metrics_csv(frame).decode(), newline=""))
    }
    unchanged = ("plain", "|=1+1")
    assert {*unchanged, *(f"'{name}" for name in names if name not in unchanged)} <= set(rows)
    assert rows["'=1+1"]["unit"] == "'=1+1"
    # a number stays one
    assert rows["plain"]["value"] == "-1.0"
    written = {row["metric"] for row in json.loads(metrics_json(frame))}
    assert set(names) <= written
