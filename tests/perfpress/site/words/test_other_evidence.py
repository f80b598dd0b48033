"""What differs beside the throughput, in the line at the head of reports and releases."""

from pathlib import Path

from perfpress.analysis.study.study import StepRun
from perfpress.site.report_figures import Figures
from perfpress.site.words.verdict_sentences import headline, plain, release_sentences
from step_run_samples import step_run
from study_samples import study_of

STEPS = ("select", "insert", "scan")


def sysbench_log(rate: float, p95: float, access: str) -> str:
    return (
        "sysbench 1.0.20\n"
        "table 1 : explain SELECT c FROM sbtest1 WHERE k IN (1, 2)\n"
        f"\t1\tSIMPLE\tsbtest1\t{access}\tk_1\tk_1\t4\tnull\t100\n\n"
        f"    transactions:  {60 * rate:.0f} ({rate:.2f} per sec.)\n"
        "General statistics:\n    total time:  60.0000s\n"
        f"Latency (ms):\n         95th percentile:  {p95:.2f}\n"
        "Threads fairness:\n"
        f"    events (avg/stddev):  {60 * rate:.4f}/0.00\n"
        "    execution time (avg/stddev):  60.0000/0.00\n"
    )


def runs_of(
    directory: Path, release: str, kernel: str, **logs: tuple[float, float, str]
) -> list[StepRun]:
    """Return one run of each step; without a log its rate, percentile and plan are usual."""
    return [
        step_run(
            directory / release / step,
            step={"name": step},
            changes={"release": release, "machine": {"kernel": kernel}},
            files={"select.txt": sysbench_log(*logs.get(step, (1000.0, 2.0, "range")))},
        )
        for step in STEPS
    ]


def texts_of(figures: Figures, release: str) -> list[str]:
    found = (headline(figures, "socket2"), *release_sentences(figures, release))
    return [plain([each]).replace("\N{NO-BREAK SPACE}", " ") for each in found]


def test_percentiles_plans_and_environment_are_said_after_the_rate_in_this_order(
    tmp_path: Path,
) -> None:
    slow = (500.0, 6.0, "ALL")
    runs = [*runs_of(tmp_path, "16", "6.1"), *runs_of(tmp_path, "17", "6.8", select=slow)]
    figures = Figures(study_of(runs, report={"steps": STEPS}))
    for text in texts_of(figures, "17"):
        assert "1 of 3 steps is slower (one run: select ×0.500), none faster" in text
        assert "Geometric mean of 3 steps: ×0.794" in text
        assert text.endswith(
            " The 95th percentile of response times is longer in 1 of 3 steps (×3.00); "
            "EXPLAIN differs for 1 statement in select; also different: kernel."
        )


def test_nothing_is_said_of_what_is_the_same(tmp_path: Path) -> None:
    runs = [*runs_of(tmp_path, "16", "6.1"), *runs_of(tmp_path, "17", "6.1")]
    for text in texts_of(Figures(study_of(runs, report={"steps": STEPS})), "17"):
        assert "percentile" not in text
        assert "EXPLAIN" not in text
        assert "different" not in text


def test_where_only_the_environment_differs_it_has_a_sentence_of_its_own(tmp_path: Path) -> None:
    runs = [*runs_of(tmp_path, "16", "6.1"), *runs_of(tmp_path, "17", "6.8")]
    for text in texts_of(Figures(study_of(runs, report={"steps": STEPS})), "17"):
        assert text.endswith(". Also different: kernel.")


def test_of_many_plans_the_steps_are_counted(tmp_path: Path) -> None:
    other = (1000.0, 2.0, "ALL")
    after = runs_of(tmp_path, "17", "6.1", select=other, insert=other, scan=other)
    runs = [*runs_of(tmp_path, "16", "6.1"), *after]
    for text in texts_of(Figures(study_of(runs, report={"steps": STEPS})), "17"):
        assert text.endswith(" EXPLAIN differs for 1 statement in 3 steps.")


def test_what_differs_from_the_base_is_not_said_again_of_the_release_before(
    tmp_path: Path,
) -> None:
    slow = (500.0, 6.0, "ALL")

    def previous(place: str, kernel: str) -> str:
        runs = [
            *runs_of(tmp_path / place, "15", "6.1"),
            *runs_of(tmp_path / place, "16", kernel),
            *runs_of(tmp_path / place, "17", "6.8", select=slow),
        ]
        return texts_of(Figures(study_of(runs, report={"steps": STEPS})), "17")[2]

    same = previous("same", "6.1")
    assert same.startswith(
        "Against 16, the verdicts on all 3 steps are the same as against 15, and so is what else "
        "differs. Geometric mean of 3 steps: ×"
    )
    assert "EXPLAIN" not in same
    other = previous("other", "6.8")
    assert other.startswith("Against 16, the verdicts on all 3 steps are the same as against 15. ")
    assert other.endswith("(×3.00); EXPLAIN differs for 1 statement in select.")
