"""What the page of a step opens with."""

from pathlib import Path

from perfpress.site.pages.step import step_page
from report_samples import parts_of
from study_samples import cell_of, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def opening(directory: Path, base: list[float], after: list[float]) -> str:
    """Return the first sentences of release 18's page, 17 being the base."""
    study = study_of([*repeats(directory, "17", base), *repeats(directory, "18", after)])
    page = step_page(parts_of(study), cell_of("18"))
    return " ".join(page.summary).replace("\N{NO-BREAK SPACE}", " ")


def test_it_opens_with_the_rate_the_ratio_and_the_verdict(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [rate / 2 for rate in STEADY]) == (
        "18 did 500.0 transactions per second, the median of 5 runs between 499.0 and 501.0. "
        "50.0 % slower than 17 (ratio 0.500; 95 % interval 0.499 to 0.502). Verdict: slower."
    )


def test_one_run_of_each_has_the_interval_of_the_noise(tmp_path: Path) -> None:
    assert opening(tmp_path, [1000.0], [500.0]).endswith(
        "50.0 % slower than 17 (ratio 0.500; 95 % interval 0.462 to 0.541). "
        "Verdict: slower, one run."
    )


def test_a_single_run_is_marked_as_one(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [500.0]).endswith(
        "50.0 % slower than 17 (ratio 0.500; 95 % interval 0.498 to 0.502). "
        "Verdict: slower, one run."
    )
