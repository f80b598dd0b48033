"""The course of runs on pages: words, the worst run, stalls, and warnings on the release's page."""

from pathlib import Path

from bundle_samples import pgbench_log
from step_run_samples import step_run
from study_samples import study_of

from pipeline.site_data.course_table import course_notices, courses_table
from pipeline.site_data.figures import Figures
from pipeline.study.study import StepRun, Study


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


def test_a_release_s_course_is_that_of_its_worst_run_which_is_named(tmp_path: Path) -> None:
    bad = run(tmp_path, "18", falling(100.0), 1)
    table = courses_table(
        study(run(tmp_path, "18", [1000.0] * 60), bad), "socket2", "select", current="18"
    )
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
    assert courses_table(study(silent), "socket2", "select", None) is None
    table = courses_table(study(silent, run(tmp_path, "18", [9.0] * 30)), "socket2", "select", None)
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
    assert course_notices(figures, "16") == ()
    (falls,) = course_notices(figures, "17")
    assert "select on socket2: falls to" in falls.text
    assert falls.url == "/reports/servers/17/select/#courses"
    (stalls,) = course_notices(figures, "18")
    assert "1 stall, 3.0 s of 60.0 s in all (run " in stalls.text
