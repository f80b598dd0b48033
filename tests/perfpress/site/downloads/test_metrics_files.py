"""The downloads of all numbers: every digit, the same in both, no formulas."""

import csv
import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from bundle_samples import pgbench_log
from perfpress.analysis.metrics.metrics import COLUMNS, metrics_frame
from perfpress.analysis.study.study import StepRun
from perfpress.base.cache import Cache
from perfpress.base.kept_results import KeptResults
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.metrics_files import (
    compressed_rows,
    metrics_csv,
    metrics_json,
    publish_metrics,
)
from perfpress.site.pages.report import report_page
from report_samples import parts_of
from step_run_samples import step_run
from study_samples import study_of

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


def test_a_new_run_makes_only_the_rows_of_its_own_releases_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[set[str]] = []

    def noted(frame: pd.DataFrame) -> bytes:
        made.append(set(frame["release"]))
        return compressed_rows(frame)

    monkeypatch.setattr("perfpress.site.pages.report.compressed_rows", noted)
    runs = [
        step_run(tmp_path / f"{at}", 1000.0 + at, changes={"release": f"r{at:02}"})
        for at in range(20)
    ]
    kept = KeptResults(Cache(tmp_path / "cache"))

    def rows(runs: list[StepRun]) -> list[str]:
        directory = SiteDirectory(tmp_path / "site")
        study = replace(study_of(runs), kept=kept)
        report_page(parts_of(study, directory=directory))
        written = tmp_path / "site" / "static" / "reports" / "servers" / "metrics.csv.gz"
        return gzip.decompress(written.read_bytes()).decode().splitlines()

    before = rows(runs)
    assert made == [{f"r{at:02}" for at in range(16)}, {f"r{at:02}" for at in range(16, 20)}]
    made.clear()
    more = step_run(tmp_path / "more", 7.0, changes={"release": "r19"})
    after = rows([*runs, more])
    assert made == [{f"r{at:02}" for at in range(16, 20)}]
    assert set(before) < set(after)
    assert sum(",7.0," in row for row in set(after) - set(before)) == 1
