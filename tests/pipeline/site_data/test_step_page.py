"""What the page of a step opens with."""

from pathlib import Path

from study_samples import cell_of, repeats, study_of

from pipeline.site_data.figures import Figures
from pipeline.site_data.step_page import step_page

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def opening(directory: Path, base: list[float], after: list[float]) -> str:
    """Return the first sentences of release 18's page, 17 being the base."""
    study = study_of([*repeats(directory, "17", base), *repeats(directory, "18", after)])
    page = step_page(
        Figures(study),
        cell_of("18"),
        comparison=None,
        charts=(),
        percentiles=None,
        traces=(),
        graphs=(),
        drilldowns=(),
        diffs={},
        downloads=(),
    )
    return " ".join(page.summary).replace("\N{NO-BREAK SPACE}", " ")


def test_it_opens_with_the_rate_the_ratio_and_the_verdict(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [rate / 2 for rate in STEADY]) == (
        "18 did 500.0 transactions per second, the median of 5 runs between 499.0 and 501.0. "
        "That is 0.500 times 17 (−50.0 %; 95 % interval 0.499 to 0.502): slower."
    )


def test_one_run_of_each_has_no_range(tmp_path: Path) -> None:
    assert opening(tmp_path, [1000.0], [500.0]).endswith(
        "times 17 (−50.0 %; one run of each): cannot tell."
    )


def test_one_run_is_said_to_be_one(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [500.0]).endswith(
        "times 17 (−50.0 %; all pairs of runs 0.499 to 0.501, too few for an interval): "
        "slower, one run."
    )
