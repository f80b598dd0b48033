"""By the author's rates, costs are shares ÷ relative rate, in percent of the base's operation."""

from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from perfpress.analysis.profiles.cost import Unknown, Work, cost_per_operation
from perfpress.analysis.profiles.profile import function_weights, profile_of
from perfpress.analysis.profiles.relative_cost import overruled_rates, rates_in_use, work_by_rate
from perfpress.base.toml.read import parse_toml
from perfpress.site.report_figures import Figures
from profile_samples import Stacks, profile_file_of, profile_of_stacks
from study_samples import captured, cell_of, profile_on_disk, study_of

STACKS = st.dictionaries(
    st.lists(st.sampled_from(["run", "read", "log_row"]), min_size=1, max_size=4).map(tuple),
    st.integers(1, 10**12),
    min_size=1,
    max_size=6,
)
RATES = st.floats(0.01, 100)


def costs_of(stacks: Stacks, rate: float) -> dict[tuple[str, str], float]:
    """Return what each function costs by itself."""
    profile = profile_of_stacks(stacks)
    work = work_by_rate(profile, rate, "new", "old")
    assert isinstance(work, Work)
    selfs = {(each.key, each.frame_class): each.self_weight for each in function_weights(profile)}
    return {key: cost_per_operation(weight, work) or 0.0 for key, weight in selfs.items()}


@given(old=STACKS, new=STACKS, rate=RATES)
def test_the_points_of_all_functions_add_up_to_the_change(
    old: Stacks, new: Stacks, rate: float
) -> None:
    before, after = costs_of(old, 1.0), costs_of(new, rate)
    points = sum(after.get(key, 0) - before.get(key, 0) for key in before | after)
    assert points == pytest.approx(100 / rate - 100, abs=1e-6)


@given(STACKS)
def test_with_rates_of_one_costs_are_shares_in_percent(stacks: Stacks) -> None:
    profile = profile_of_stacks(stacks)
    shares = {
        (each.key, each.frame_class): 100 * each.self_weight / profile.total
        for each in function_weights(profile)
    }
    assert costs_of(stacks, 1.0) == pytest.approx(shares)


def test_without_a_rate_or_cpu_time_there_is_no_cost() -> None:
    profile = profile_of_stacks({("db", "run"): 10})
    assert work_by_rate(profile, None, "18", "16") == Unknown("the author’s rates have none of 18")
    file = replace(profile_file_of({("db", "run"): 10}), event="waits", unit="ps")
    waits = profile_of(file)
    reason = "the author’s rates give a cost of CPU time, not of ps"
    # Too many to be samples; the file names no event. Most often they are cycles.
    unknown = replace(file, event="unknown", unit="events")
    assert isinstance(work_by_rate(profile_of(unknown), 1.0, "18", "16"), Work)
    faults = replace(file, event="page-faults", unit="events")
    assert isinstance(work_by_rate(profile_of(faults), 1.0, "18", "16"), Unknown)
    assert work_by_rate(waits, 1.0, "18", "16") == Unknown(reason)


def figures_of(directory: Path, rates: dict[str, Any], *, measured: str = "") -> Figures:
    """Return two releases with profiles; a release that is measured has a throughput, too."""
    unmeasured: dict[str, Any] = {"step": {"logs": []}}
    runs = [
        captured(directory, release, **({} if release == measured else unmeasured))
        for release in ("16", "18")
    ]
    text = tomli_w.dumps({"rates": rates})
    document, _ = parse_toml(text, "content/reports/servers/_index.md", first_line=2)
    profiles = [profile_on_disk(directory, release) for release in ("16", "18")]
    return Figures(study_of(runs, profiles, {"rates": rates, "document": document}))


def test_shares_become_costs_where_nothing_was_measured(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"18": 0.8})
    assert rates_in_use(figures.study) == {("socket2", "select"): {"16": 1.0, "18": 0.8}}
    assert [figures.cost(cell_of(each)) for each in ("16", "18")] == pytest.approx([100, 125])
    unit = figures.main_cost_unit("socket2", "select")
    assert unit.text == "% of one transaction on 16, by the author’s rates"
    assert list(overruled_rates(figures.study)) == []


def test_what_was_measured_wins_and_is_reported(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, {"18": 0.8}, measured="16")
    assert rates_in_use(figures.study) == {}
    assert figures.main_cost_unit("socket2", "select").text == "cycles per transaction"
    assert figures.cost(cell_of("16")) == 0.1
    (problem,) = overruled_rates(figures.study)
    assert (problem.line, problem.severity) == (2, "warning")
    run = figures.study.of_cell(cell_of("16"))[0].bundle.run_id
    assert problem.path == "content/reports/servers/_index.md"
    assert problem.found == f"rates of the step 'select', which {run} measured"
    assert str(problem).endswith("remove them: the measured throughput is used")
    of_steps = {"insert": {"18": 0.9}, "select": {"18": 0.8}}
    (own,) = overruled_rates(figures_of(tmp_path, of_steps, measured="16").study)
    assert (own.line, own.found) == (5, problem.found)


def test_the_work_behind_a_cost_says_whose_rate_it_rests_on() -> None:
    profile = profile_of_stacks({("db", "run"): 10})
    assert work_by_rate(profile, 0.5, "18", "16") == Work(
        operations=0.05,
        scope="",
        method="share of the profile ÷ 0.5, by the author’s rates, 16 = 1",
        base="16",
    )
    nothing = profile_of_stacks({("db", "run"): 0})
    assert work_by_rate(nothing, 1.0, "18", "16") == Unknown("the profile weighs nothing")
