"""The course of runs on pages: words, the worst run, stalls, and warnings on the release's page."""

from pathlib import Path

from bundle_samples import pgbench_log
from perfpress.analysis.study.study import StepRun, Study
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.stability import stability_notices, stability_table
from step_run_samples import step_run
from study_samples import study_of


def run(directory: Path, release: str, rates: list[float], number: int = 0) -> StepRun:
    progress = "".join(
        f"progress: {second}.0 s, {rate} tps, lat 1.0 ms stddev 0.1, 0 failed\n"
        for second, rate in enumerate(rates, start=1)
    )
    head, _, rest = pgbench_log(1000.0 + number).partition("\n")
    log = f"{head}\n{progress}{rest}"
    return step_run(
        directory / f"{release}-{number}", changes={"release": release}, files={"select.txt": log}
    )


def falling(end: float) -> list[float]:
    return [1000.0 - (1000.0 - end) * at / 59 for at in range(60)]


def study(*runs: StepRun) -> Study:
    return study_of(list(runs))


def of_all(of: Study, current: str | None = None) -> Table | None:
    return stability_table(of, cells_of_step(of, "socket2", "select"), current)


def test_a_release_s_course_is_that_of_its_worst_run_which_is_named(tmp_path: Path) -> None:
    bad = run(tmp_path, "18", falling(100.0), 1)
    table = of_all(study(run(tmp_path, "18", [1000.0] * 60), bad), current="18")
    assert table is not None
    words, middle, worst, warm_up, stalls, shift, which = table.rows[0].cells
    assert words.text.startswith("falls to 1")
    assert words.text.endswith("of its start within a minute")
    assert 0.5 < (middle.sort or 0) < 0.6 < 1 > (worst.sort or 0) > 0.1
    assert (warm_up.text, stalls.text, shift.text) == ("0", "0", "–")
    assert (which.text, which.note) == (bad.bundle.run_id, "2 runs")
    assert table.rows[0].current


def test_a_release_without_a_series_has_no_row_and_a_step_without_any_no_table(
    tmp_path: Path,
) -> None:
    silent = step_run(tmp_path / "x", changes={"release": "17"})
    assert of_all(study(silent)) is None
    table = of_all(study(silent, run(tmp_path, "18", [9.0] * 30)))
    assert table is not None
    assert [row.label for row in table.rows] == ["18"]


def test_the_page_of_a_release_warns_where_a_step_falls_or_stalls(tmp_path: Path) -> None:
    stalling = [1000.0] * 60
    stalling[30:33] = [0.0, 1.0, 0.0]
    figures = Figures(
        study(
            run(tmp_path, "16", [1000.0] * 60),
            run(tmp_path, "17", falling(50.0)),
            run(tmp_path, "18", stalling),
        )
    )
    assert stability_notices(figures, "16") == ()
    (falls,) = stability_notices(figures, "17")
    assert "select on socket2: falls to" in falls.text
    assert falls.url == "/reports/servers/17/select/#courses"
    (stalls,) = stability_notices(figures, "18")
    assert "1 stall, 3.0 s of 60.0 s in all (run " in stalls.text


def short(end: float) -> list[float]:
    return [1000.0] * 9 + [end]


def warnings(*runs: StepRun) -> list[str]:
    return [each.text for each in stability_notices(Figures(study(*runs)), "18")]


def test_one_low_interval_at_the_end_of_a_short_run_is_no_warning(tmp_path: Path) -> None:
    ends = [670.0, 990.0, 1010.0, 1000.0, 980.0, 1020.0]
    runs = [run(tmp_path, "18", short(end), at) for at, end in enumerate(ends)]
    assert warnings(*runs) == []
    assert warnings(runs[0]) == []
    table = of_all(study(*runs))
    assert table is not None
    course = table.rows[0].cells[0]
    assert course.text.startswith("falls to 67")
    assert course.note == "a tenth of this run is 1 interval: it can be noise"


def test_short_runs_that_fall_together_are_a_warning(tmp_path: Path) -> None:
    ends = [600.0, 700.0, 990.0]
    runs = [run(tmp_path, "18", short(end), at) for at, end in enumerate(ends)]
    (text,) = warnings(*runs)
    assert text.replace("\N{NO-BREAK SPACE}", " ") == (
        "Throughput of select on socket2: falls to 70 % of its start (the median of 3 runs)."
    )
    assert warnings(*runs[:2]) == []
    assert warnings(*runs[:2], run(tmp_path, "18", short(1001.0), 3)) == []


def test_one_long_run_that_falls_is_a_warning_whatever_the_others_do(tmp_path: Path) -> None:
    steady = [run(tmp_path, "18", [1000.0] * 60, at) for at in range(5)]
    falls = run(tmp_path, "18", falling(100.0), 5)
    (text,) = warnings(*steady, falls)
    assert text.endswith(f"(run {falls.bundle.run_id}, one of 6).")
