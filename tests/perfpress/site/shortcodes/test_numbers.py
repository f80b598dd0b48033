"""Numbers in sentences: where new results leave one without a value, the text says why."""

from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from perfpress.input.report.front_matter import Column, DrilldownDefinition
from perfpress.input.report.mentions import mentions_in
from perfpress.site.shapes.blocks import Cell
from perfpress.site.shortcodes.registry import ShownInText, shown_in_text
from report_samples import parts_of
from step_run_samples import step_run
from study_samples import captured, profile_on_disk, repeats, study_of

NAMES = [f"b/select/{key}" for key in ("against-base", "against-previous", "spread")]


def shown(directory: Path, base: list[float], rates: list[float]) -> ShownInText:
    text = "".join(f'{{{{< cell "{name}" >}}}}' for name in NAMES)
    runs = [*repeats(directory, "a", base), *repeats(directory, "b", rates)]
    return shown_in_text(parts_of(study_of(runs, report={"mentions": mentions_in(text)})))


def test_ratios_of_a_rate_are_numbers(tmp_path: Path) -> None:
    found = shown(tmp_path, [1000.0, 1000.0], [500.0, 600.0])
    assert all(isinstance(found.shown["cell"][name], Cell) for name in NAMES)
    assert not set(NAMES) & set(found.missing["cell"])


@pytest.mark.parametrize("base", [[1000.0, 0.0], [0.0, 0.0], []], ids=str)
def test_a_cell_without_a_rate_leaves_no_name_unknown(tmp_path: Path, base: list[float]) -> None:
    """Hugo stops the whole site at a name that is neither shown nor missing for a reason."""
    found = shown(tmp_path, base, [0.0, 0.0])
    assert set(NAMES) <= {*found.shown["cell"], *found.missing["cell"]}
    assert found.missing["cell"]["b/select/spread"].text == "no spread of select on b"
    start = found.missing["cell"]["b/select/first-tenth"].text
    assert start == "no throughput at the start of the runs of select on b"


def test_a_sentence_shows_where_the_chart_over_time_begins_and_ends(tmp_path: Path) -> None:
    rates = [(900.0, 500.0, 100.0), (700.0, 300.0, 40.0), (800.0, 400.0, 20.0)]
    logs = [
        "".join(
            f"progress: {at}.0 s, {each} tps, lat 1.000 ms stddev 0.1\n"
            for at, each in enumerate(values, start=1)
        )
        for values in rates
    ]
    runs = [
        step_run(
            tmp_path / str(at),
            changes={"release": "a"},
            files={"select.txt": log + pgbench_log(400.0)},
        )
        for at, log in enumerate(logs)
    ]
    names = [f"a/select/{key}-interval" for key in ("first", "last")]
    text = "".join(f'{{{{< cell "{name}" >}}}}' for name in names)
    found = shown_in_text(parts_of(study_of(runs, report={"mentions": mentions_in(text)})))
    first, last = (found.shown["cell"][name] for name in names)
    assert isinstance(first, Cell)
    assert isinstance(last, Cell)
    assert (first.text, last.text) == ("800.0", "40.00")
    assert first.note == "medians by second of 3 runs"


def test_a_sentence_shows_what_is_counted_and_says_which_release_lacks_it(tmp_path: Path) -> None:
    counted = {"executed_instructions": {"value": 1500, "unit": "instructions"}}
    runs = [
        step_run(tmp_path / "a", step={"metrics": counted}, changes={"release": "a"}),
        *repeats(tmp_path, "b", [1000.0]),
    ]
    text = "".join(f'{{{{< cell "{each}/select/executed_instructions" >}}}}' for each in "ab")
    found = shown_in_text(parts_of(study_of(runs, report={"mentions": mentions_in(text)})))
    number = found.shown["cell"]["a/select/executed_instructions"]
    assert isinstance(number, Cell)
    assert number.text == "1,500"
    missing = found.missing["cell"]["b/select/executed_instructions"].text
    assert missing.startswith("no executed_instructions of select on b: ")


def test_a_sentence_shows_any_metric_that_it_names_and_says_which_release_lacks_it(
    tmp_path: Path,
) -> None:
    stated = {"pages_read": {"value": 7, "unit": "pages"}}
    runs = [
        step_run(tmp_path / "a", step={"metrics": stated}, changes={"release": "a"}),
        *repeats(tmp_path, "b", [1000.0]),
    ]
    names = [f"{release}/select/{name}" for release in "ab" for name in ("pages_read", "retries")]
    text = "".join(f'{{{{< cell "{each}" >}}}}' for each in names)
    found = shown_in_text(parts_of(study_of(runs, report={"mentions": mentions_in(text)})))
    number = found.shown["cell"]["a/select/pages_read"]
    assert isinstance(number, Cell)
    assert (number.text, number.note) == ("7.000", "one run")
    missing = found.missing["cell"]
    assert missing["b/select/pages_read"].text.startswith("no pages_read of select on b: ")
    assert missing["a/select/retries"].text.startswith("no retries of select on a: ")


def test_a_sentence_can_hold_the_number_of_a_drilldown(tmp_path: Path) -> None:
    columns = tuple(Column(head=name, path=name) for name in ("seek", "gone"))
    defined = (DrilldownDefinition(name="reading", columns=columns, steps=("select",)),)
    profiles = [profile_on_disk(tmp_path, "a", {("main", "seek"): 1, ("main", "other"): 3})]
    runs = [captured(tmp_path, "a"), captured(tmp_path, "b")]
    text = "".join(
        f'{{{{< cell "{release}/select/reading/{head}" >}}}}'
        for release in "ab"
        for head in ("seek", "gone")
    )
    report = {"mentions": mentions_in(text), "drilldowns": defined}
    found = shown_in_text(parts_of(study_of(runs, profiles, report)))
    number = found.shown["cell"]["a/select/reading/seek"]
    assert isinstance(number, Cell)
    assert number.text == "25.00"
    missing = found.missing["cell"]
    assert missing["a/select/reading/gone"].text == "no gone of select on a: no such symbol: gone"
    assert missing["b/select/reading/seek"].text.startswith("no seek of select on b")
