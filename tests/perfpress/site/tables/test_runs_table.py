"""The tables of runs: what counts, what does not, and where it is."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from bundle_samples import good_bundle, pgbench_log
from perfpress.analysis.metrics.validity import values_of
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.shapes.blocks import Cell, Table
from perfpress.site.tables.runs import MOST_RUNS, bundles_table, commands_table, step_runs_table
from step_run_samples import step_run, step_runs_of
from study_samples import captured, study_of


def column(table: Table, key: str) -> list[Cell]:
    at = [each.key for each in table.columns].index(key)
    return [row.cells[at] for row in table.rows]


def every_kind(directory: Path) -> list[StepRun]:
    """Return a run that counts, then one of every kind that does not."""
    cut = pgbench_log(6.0) + "pgbench: error: Run was aborted; the above results are incomplete.\n"
    return [
        step_run(directory / "a", 1.0),
        step_run(directory / "b", 2.0, exclusion=Exclusion("invalid", "disk was full", None)),
        step_run(
            directory / "c",
            3.0,
            exclusion=Exclusion("superseded", "a rerun", None, replacement="undated-1"),
        ),
        captured(directory, "18", 4.0),
        step_run(directory / "e", files={"select.txt": pgbench_log(0.0)}),
        step_run(directory / "f", files={"select.txt": cut}),
        step_run(directory / "g", step={"logs": None}),
    ]


REASONS = [
    "yes",
    "invalid: disk was full",
    "superseded by undated-1: a rerun",
    "a profiling run, made for its profile",
    "no operation was finished",
    "the log breaks off, or says itself that it is of no whole run",
    "no log has the throughput",
]


def test_every_run_says_whether_it_counts_and_why_not(tmp_path: Path) -> None:
    runs = every_kind(tmp_path)
    assert [cell.text for cell in column(step_runs_table(runs, "row"), "counts")] == REASONS


def test_what_counts_is_what_the_medians_are_of(tmp_path: Path) -> None:
    runs = every_kind(tmp_path)
    table = step_runs_table(runs, "row")
    expected = {
        row.key
        for row, cell in zip(table.rows, column(table, "counts"), strict=True)
        if cell.text == "yes"
    }
    (values,) = values_of(runs, "throughput").values()
    assert set(values) == expected


def test_a_number_of_a_table_is_marked_and_counts_after_that_of_a_log(tmp_path: Path) -> None:
    table = {
        "value": 7.0,
        "unit": "operations/s",
        "better": "higher",
        "file": "qps.tsv",
        "line": 5,
        "column": "x.old",
    }
    files = {"select.txt": pgbench_log(1.0), "qps.tsv": "?"}
    step = {"metrics": {"throughput": table}}
    alone = step_run(tmp_path / "a", files={"qps.tsv": "?"}, step={**step, "logs": None})
    beside = step_run(tmp_path / "b", files=files, step=step)
    cells = column(step_runs_table([alone, beside], "row"), "source")
    assert [cell.text for cell in cells] == ["qps.tsv:5, computed elsewhere", "select.txt:10"]


def test_bundles_say_the_same(tmp_path: Path) -> None:
    runs = every_kind(tmp_path)
    study = study_of(runs)
    assert [cell.text for cell in column(bundles_table(study, "18", {}), "counts")] == REASONS


def test_a_bundle_of_several_steps_distinguishes_them(tmp_path: Path) -> None:
    steps = [
        {"name": "select", "operation": "transaction", "logs": ["select.txt"]},
        {"name": "insert", "operation": "row"},
    ]
    bundle = good_bundle(tmp_path / "a", {"step": steps}, {"select.txt": pgbench_log(1.0)})

    def counts(*exclusions: Exclusion) -> str:
        study = study_of(step_runs_of(bundle, *exclusions), report={"steps": ("select", "insert")})
        (cell,) = column(bundles_table(study, "18", {}), "counts")
        return cell.text

    assert counts() == "insert: no log has the throughput; select: yes"
    assert counts(Exclusion("invalid", "disk was full", None)) == "invalid: disk was full"
    assert counts(Exclusion("invalid", "disk was full", "select")) == (
        "insert: no log has the throughput; select: invalid: disk was full"
    )


@pytest.mark.parametrize(
    ("count", "text", "note"),
    [
        (4, "s0, s1, s2, s3", ""),
        (5, "5 steps", "s0, s1, s2, s3, s4"),
        (42, "42 steps", f"{', '.join(f's{at}' for at in range(40))} and 2 more"),
    ],
)
def test_many_steps_of_a_bundle_are_counted_and_named_in_a_note(
    count: int, text: str, note: str, tmp_path: Path
) -> None:
    names = [f"s{at}" for at in range(count)]
    steps = [{"name": name, "operation": "row"} for name in names]
    bundle = good_bundle(tmp_path / "a", {"step": steps}, {})
    study = study_of(step_runs_of(bundle), report={"steps": tuple(names)})
    (cell,) = column(bundles_table(study, "18", {}), "steps")
    assert (cell.text, cell.note) == (text, note)


def test_a_start_is_shown_in_utc(tmp_path: Path) -> None:
    started = datetime(2026, 1, 25, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    runs = [step_run(tmp_path / "a", changes={"started": started}), step_run(tmp_path / "b", 2.0)]
    table = bundles_table(study_of(runs), "18", {})
    assert [cell.text for cell in column(table, "started")] == ["2026-01-24 23:30", "–"]
    assert table.columns[0].unit == "UTC"


def test_the_last_command_of_a_step_is_shown_and_how_many_runs_had_another(tmp_path: Path) -> None:
    runs = [
        step_run(tmp_path / name, rate, step={"command": f"pgbench --seed={name}"})
        for name, rate in (("a", 1.0), ("b", 2.0))
    ]
    table = commands_table(study_of(runs), runs[0].cell.release)
    assert table is not None
    last = max(runs, key=lambda each: each.bundle.run_id).step.command
    assert [[cell.text for cell in row.cells] for row in table.rows] == [[last, "1 of 2"]]
    silent = [step_run(tmp_path / "c", 3.0)]
    assert commands_table(study_of(silent), silent[0].cell.release) is None


def test_a_number_names_its_file_and_line_and_whether_it_counts(tmp_path: Path) -> None:
    invalid = Exclusion("invalid", "disk was full", None)
    runs = [step_run(tmp_path / "a", 1.0), step_run(tmp_path / "b", 2.0, exclusion=invalid)]
    table = step_runs_table(runs, "row")
    rates = column(table, "throughput")
    assert [(cell.text, cell.sort) for cell in rates] == [("1.000", 1.0), ("2.000", 2.0)]
    assert rates[0].note == "select.txt:10"
    assert rates[1].note == "select.txt:10; does not count: invalid: disk was full"
    assert column(table, "source")[0].text == "select.txt:10"
    assert column(table, "failed")[0].note == "no log has the failed operations"


def test_lines_that_were_not_read_are_counted_with_the_first_and_the_reason(
    tmp_path: Path,
) -> None:
    twice = pgbench_log(1.0) + 2 * "tps = 5.0 (without initial connection time)\n"
    runs = [step_run(tmp_path / "a", files={"select.txt": twice}), step_run(tmp_path / "b", 2.0)]
    some, none = column(step_runs_table(runs, "row"), "skipped")
    assert (some.text, some.note) == (
        "2",
        "select.txt: 2 lines, first 11: a second value of throughput",
    )
    assert (none.text, none.note) == ("0", "")


def test_of_very_many_runs_the_newest_are_shown_with_a_note(tmp_path: Path) -> None:
    run = step_run(tmp_path, 1.0)
    table = step_runs_table([run] * (MOST_RUNS + 5), "transaction")
    assert len(table.rows) == MOST_RUNS
    assert table.notes == ("The newest 200 of 205 runs; metrics.csv below has the numbers of all.",)
    assert step_runs_table([run] * MOST_RUNS, "transaction").notes == ()
