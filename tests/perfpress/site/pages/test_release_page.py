"""What the page of a release decides: its neighbours, what comes first, what it warns of."""

import datetime
from pathlib import Path
from typing import Any

from bundle_samples import pgbench_log
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.report.front_matter import Release
from perfpress.site.pages.release import release_page
from perfpress.site.shapes.pages import ReleasePage
from perfpress.site.tables.runs import correction_notices
from perfpress.site.words.verdict_sentences import plain
from report_samples import parts_of
from step_run_samples import step_run
from study_samples import repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
MORNING = datetime.datetime(2026, 11, 24, 10, tzinfo=datetime.UTC)


def page(release: str, runs: list[StepRun], **report: Any) -> ReleasePage:
    return release_page(parts_of(study_of(runs, report=report)), release)


def three(directory: Path) -> list[StepRun]:
    return [each for release in "abc" for each in repeats(directory, release, STEADY)]


def test_before_and_after_it_are_the_nearest_releases_that_have_runs(tmp_path: Path) -> None:
    runs = three(tmp_path)
    # In the report, and not measured.
    releases = tuple(Release(id=each) for each in ("a", "unmeasured", "b", "c"))
    middle = page("b", runs, releases=releases).place
    assert middle.previous is not None
    assert middle.next is not None
    assert (middle.previous.url, middle.next.url) == ("/reports/servers/a/", "/reports/servers/c/")
    assert page("a", runs, releases=releases).place.previous is None
    assert page("c", runs, releases=releases).place.next is None


def test_the_order_is_the_report_s_and_its_labels_are_shown(tmp_path: Path) -> None:
    releases = (Release(id="c"), Release(id="b", label="Bee"), Release(id="a"))
    made = page("c", three(tmp_path), releases=releases).place
    assert made.previous is None
    assert made.next is not None
    assert made.next.label == "Bee"
    own = page("b", three(tmp_path / "again"), releases=releases).place
    assert (own.heading, own.title) == ("Bee", "Bee, Servers")


def test_steps_are_by_variant_the_default_first_and_only_those_it_ran_on(tmp_path: Path) -> None:
    runs = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path / "lab2", "b", [1000.0], changes={"host": "lab2"}),
        *repeats(tmp_path, "b", STEADY),
    ]
    variants = {"socket2": "the default", "lab2": "the other"}
    both = page("b", runs, variants=variants)
    assert [table.id for table in both.steps] == ["steps-socket2", "steps-lab2"]
    assert [table.id for table in page("a", runs, variants=variants).steps] == ["steps-socket2"]


def test_facts_are_those_that_are_known(tmp_path: Path) -> None:
    full = Release(id="b", version="10.6.1", date=datetime.date(2026, 2, 1), branch="10.6")
    runs = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", [1000.0])]
    releases = (Release(id="a"), full)
    facts = [(fact.label, fact.value) for fact in page("b", runs, releases=releases).facts]
    assert facts == [
        ("Measured", "1 run"),
        ("Version", "10.6.1"),
        ("Date", "2026-02-01"),
        ("Branch", "10.6"),
    ]
    assert [fact.value for fact in page("a", runs, releases=releases).facts] == ["5 runs"]


def test_links_describe_a_release_by_verdict_and_the_base_by_contents(
    tmp_path: Path,
) -> None:
    runs = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path, "b", [rate / 2 for rate in STEADY]),
    ]
    assert page("b", runs).place.description.startswith("b: Against a, select is slower")
    assert page("a", runs).place.description == "All measurements of a."


def test_it_opens_with_the_verdicts_against_the_base_then_the_release_before(
    tmp_path: Path,
) -> None:
    opening = page("c", three(tmp_path)).opening
    sentences = ["".join(phrase.text for phrase in sentence) for sentence in opening]
    where = "No profiles: nothing shows where the time went."
    assert [each.partition(", ")[0] for each in sentences] == ["Against a", where, "Against b"]
    assert [sentence[1].url for sentence in opening if len(sentence) > 1] == [
        "/reports/servers/a/",
        "/reports/servers/b/",
    ]


def test_repeats_without_a_start_time_are_warned_of(tmp_path: Path) -> None:
    [notice] = page("a", repeats(tmp_path, "a", STEADY)).notices
    assert f"{len(STEADY)} repeats without a start time" in notice.text


def test_corrections_are_shown_before_what_the_runs_themselves_show(tmp_path: Path) -> None:
    progress = "".join(
        f"progress: {second}.0 s, {1000.0 - 15 * second} tps, lat 1.0 ms stddev 0.1, 0 failed\n"
        for second in range(1, 61)
    )
    head, _, rest = pgbench_log(500.0).partition("\n")
    falls = step_run(
        tmp_path / "falls",
        changes={"release": "b"},
        files={"select.txt": f"{head}\n{progress}{rest}"},
    )
    wrong = step_run(
        tmp_path / "wrong",
        changes={"release": "b"},
        exclusion=Exclusion("superseded", "", None, replacement=falls.bundle.run_id),
    )
    made = page("b", [*repeats(tmp_path, "a", STEADY), falls, wrong])
    [correction], [notice] = made.corrections, made.notices
    assert correction.text == (
        f"Run {wrong.bundle.run_id} does not count; run {falls.bundle.run_id} replaces it."
    )
    assert notice.text.startswith("Throughput of select on socket2: falls to ")
    of_report = correction_notices([each.run for each in (*repeats(tmp_path, "a", STEADY), wrong)])
    assert [each.text for each in of_report] == [
        f"Run {wrong.bundle.run_id} of b does not count; run {falls.bundle.run_id} replaces it."
    ]


def test_a_release_of_which_no_run_counts_says_why_and_has_no_empty_tables(
    tmp_path: Path,
) -> None:
    wrong = step_run(
        tmp_path / "wrong",
        changes={"release": "b"},
        exclusion=Exclusion("invalid", "The wrong build was measured.", None),
    )
    made = page("b", [*repeats(tmp_path, "a", STEADY), wrong])
    assert ["".join(phrase.text for phrase in each) for each in made.opening] == [
        "No run of b counts: The wrong build was measured."
    ]
    assert made.steps == ()
    assert made.place.description == "No run of b counts: The wrong build was measured."
    assert len(made.runs.rows) == 1


def test_the_environment_is_that_of_the_first_variant_that_it_ran_on(tmp_path: Path) -> None:
    runs = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(
            tmp_path / "lab2",
            "b",
            [1000.0],
            changes={"host": "lab2", "machine": {"cpus": 64}},
        ),
    ]
    made = page("b", runs, variants={"socket2": "the default", "lab2": "the other"})
    assert made.environment is not None
    assert "64" in [cell.text for row in made.environment.rows for cell in row.cells]


def test_unknown_facts_are_left_out(tmp_path: Path) -> None:
    made = page("a", repeats(tmp_path, "a", [1000.0]))
    assert plain(made.opening) == "1 step measured."
    assert made.suspects == ()
    assert made.commands is None
    assert made.profiles is None
    assert made.notices == ()


def test_the_page_of_the_base_says_that_it_is_the_base(tmp_path: Path) -> None:
    runs = [*repeats(tmp_path, "a", [1000.0]), *repeats(tmp_path, "b", [1000.0])]
    opening = plain(page("a", runs).opening)
    assert opening == "The base that other releases are compared with, in 1 step."
    assert plain(page("b", runs).opening).startswith("Against a, ")


def test_a_base_that_nothing_is_compared_with_is_not_called_the_base(tmp_path: Path) -> None:
    runs = [
        *repeats(tmp_path, "a", [1000.0], changes={"host": "lab2"}),
        *repeats(tmp_path, "b", [1000.0]),
    ]
    made = page("b", runs)
    assert plain(made.opening) == "1 step measured."
    assert "compared" not in str(made.environment)


def test_repeats_that_are_factors_apart_are_warned_of_and_others_are_not(tmp_path: Path) -> None:
    runs = [
        *repeats(tmp_path, "a", [3292.0, 15596.0, 3300.0], changes={"started": MORNING}),
        *repeats(tmp_path, "b", [1000.0, 1400.0, 1900.0], changes={"started": MORNING}),
    ]
    [notice] = page("a", runs).notices
    assert notice.text.startswith("Repeats of select on ")
    assert "differ by far more than noise: 3,300 and 15,596 " in notice.text
    assert notice.url.endswith("/a/select/#runs")
    assert page("b", runs).notices == ()


def test_steps_whose_repeats_are_factors_apart_share_one_warning(tmp_path: Path) -> None:
    runs = [
        run
        for step in ("insert", "select")
        for run in repeats(
            tmp_path / step,
            "a",
            [1000.0, 5000.0],
            step={"name": step},
            changes={"started": MORNING},
        )
    ]
    [notice] = page("a", runs).notices
    assert notice.text.startswith("Repeats differ by far more than noise: insert on ")
    assert "1,000 and 5,000 transactions/s, select on " in notice.text
