"""Cost per operation, and environments."""

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from captured_samples import STACKS, profile_with, profiled
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.environment.environment import LONGEST_ATTACHMENT, compare_environments
from perfpress.analysis.profiles.cost import (
    CostUnit,
    Unknown,
    Work,
    cost_per_operation,
    work_captured,
)
from perfpress.base.units import WAITS
from perfpress.input.bundles.read import Bundle
from profile_samples import profile_of_stacks
from step_run_samples import step_run

METHOD = "captures of 10 s, at the rate of the run that was captured"


def test_cost_is_weight_over_the_operations_done_while_capturing(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a", 1000.0, 2), profiled(tmp_path / "b", 500.0, 1)]
    work = work_captured(profile_with(runs), runs)
    assert isinstance(work, Work)
    # 2 × 10 s at 1000/s, and 10 s at 500/s
    assert work == Work(25_000, "the process under test", METHOD)
    assert cost_per_operation(1000, work) == 0.04


def test_captures_that_are_not_in_the_profile_do_not_count(tmp_path: Path) -> None:
    read, unread = profiled(tmp_path / "a", 1000.0, 2), profiled(tmp_path / "b", 500.0, 1)
    work = work_captured(profile_with([read]), [read, unread])
    assert isinstance(work, Work)
    assert work.operations == 20_000


def test_the_cost_comes_from_complete_captures_alone(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a", 1000.0, 3), profiled(tmp_path / "b", 500.0, 1)]
    profile = profile_with(runs, partial=2)
    work = work_captured(profile, runs)
    assert isinstance(work, Work)
    # 10 s at 1000/s and 10 s at 500/s weigh 200 of 400
    assert work.operations == 2 * 15_000
    assert work.method == f"{METHOD}; 2 of 4 captures, there in part, at the others' cost"
    whole = work_captured(profile_with(runs), runs)
    assert isinstance(whole, Work)
    assert whole.operations == 35_000


@pytest.mark.slow
@given(weights=st.lists(st.integers(1, 10**15), min_size=2, max_size=6), partial=st.integers(1, 5))
def test_what_a_cut_capture_holds_changes_no_cost(weights: list[int], partial: int) -> None:
    partial = min(partial, len(weights) - 1)
    with tempfile.TemporaryDirectory() as directory:
        run = profiled(Path(directory) / "a", 1000.0, len(weights))
    profile = profile_with([run], {("db", "run"): sum(weights)}, partial)
    held = tuple(
        msgspec.structs.replace(capture, weight=str(weight))
        for capture, weight in zip(profile.captures, weights, strict=True)
    )
    work = work_captured(replace(profile, captures=held), [run])
    cost = cost_per_operation(sum(weights), work)
    assert cost == pytest.approx(sum(weights[partial:]) / ((len(weights) - partial) * 10_000))


def test_captures_that_are_all_there_in_part_leave_the_work_unknown(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a", 1000.0, 2)]
    work = work_captured(profile_with(runs, partial=2), runs)
    (capture, *_) = runs[0].step.captures
    file = runs[0].bundle.shown(capture)
    assert work == Unknown(f"{file} is there in part only: of how many seconds is not known")


def test_captures_that_have_shares_only_leave_the_work_unknown(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a", 1000.0, 1)]
    (capture,) = profile_with(runs).captures
    held = (msgspec.structs.replace(capture, shares_only="the ring was full"),)
    work = work_captured(replace(profile_with(runs), captures=held), runs)
    assert work == Unknown(f"{capture.file} has shares only: the ring was full")


def test_a_cut_capture_leaves_nothing_that_covers_a_fixed_work(tmp_path: Path) -> None:
    fixed: dict[str, Any] = {"capture": {"seconds": None}, "step": {"work": "fixed"}}
    cut, whole = (profiled(tmp_path / name, count=2, **fixed) for name in "ab")
    work = work_captured(profile_with([cut], partial=1), [cut])
    assert isinstance(work, Unknown)
    assert "in part only" in work.reason
    work = work_captured(profile_with([cut, whole], partial=1), [cut, whole])
    assert isinstance(work, Work)
    # what the log of the whole run says was done, for half of the weight
    assert work.operations == 2 * 2000


@pytest.mark.parametrize(
    ("capture", "step", "reason"),
    [
        ({"seconds": None}, {}, "how long the captures"),
        ({}, {"logs": None}, "no throughput"),
        ({"seconds": None}, {"work": "fixed", "logs": None}, "how long the captures"),
    ],
)
def test_unknown_work_says_why(
    capture: dict[str, Any], step: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    runs = [profiled(tmp_path / "a"), profiled(tmp_path / "b", capture=capture, step=step)]
    work = work_captured(profile_with(runs), runs)
    assert isinstance(work, Unknown)
    assert reason in work.reason
    assert cost_per_operation(1000, work) is None


def test_fixed_work_is_over_all_operations(tmp_path: Path) -> None:
    run = profiled(tmp_path / "a", capture={"seconds": None}, step={"work": "fixed"})
    work = work_captured(profile_with([run]), [run])
    # what the log says was done
    how = "fixed work: the captures are taken to cover all of it"
    assert work == Work(2000, "the process under test", how)
    stated = profiled(
        tmp_path / "b", capture={"seconds": None}, step={"work": "fixed", "operations": 50}
    )
    work = work_captured(profile_with([stated]), [stated])
    assert isinstance(work, Work)
    assert work.operations == 50


def test_scopes_are_not_mixed(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a"), profiled(tmp_path / "b", capture={"scope": "host"})]
    work = work_captured(profile_with(runs), runs)
    assert work == Unknown("some captures cover the process, others the whole host")


def test_a_profile_of_no_run_has_no_cost() -> None:
    reason = "no run of this step has captures in the profile"
    assert work_captured(profile_of_stacks(STACKS), []) == Unknown(reason)


def test_costs_are_shown_in_the_profile_s_unit_or_in_percent_of_an_operation() -> None:
    assert CostUnit("cycles", "insert").shown([2.0, 3e6]) == (1, "cycles/insert")
    factor, unit = CostUnit(WAITS, "insert").shown([2e3, 3e6])
    assert factor == pytest.approx(1e-6)
    assert unit == "waiting µs/insert"
    assert CostUnit("cycles", "insert", "17").shown([2.0]) == (1, "% of 17, author’s rates")


@given(
    weight=st.integers(1, 10**18),
    rate=st.floats(0.1, 1e7),
    factor=st.integers(1, 1000),
)
def test_half_the_rate_at_the_same_weight_is_twice_the_cost(
    weight: int, rate: float, factor: int
) -> None:
    cost = cost_per_operation(weight, Work(rate, "", ""))
    slower = cost_per_operation(weight, Work(rate / 2, "", ""))
    assert cost is not None
    assert slower == pytest.approx(2 * cost)
    assert cost_per_operation(weight * factor, Work(rate * factor, "", "")) == pytest.approx(cost)


def test_environments_differ_in_what_is_not_the_same_on_both_sides(tmp_path: Path) -> None:
    def bundle(name: str, kernel: str | None, config: str) -> Bundle:
        machine = {"cpus": 8} | ({"kernel": kernel} if kernel else {})
        changes = {"machine": machine, "tools": {"perf": "6.1"}, "attachments": ["my.cnf"]}
        return step_run(tmp_path / name, changes=changes, files={"my.cnf": config}).bundle

    same = "-- a comment\nbuffers = 1\n"
    base = [bundle("a", "6.1", same), bundle("b", "6.1", same)]
    environment = compare_environments(base, base)
    assert environment.differences == ()
    assert ("machine", "kernel", "6.1") in environment.same

    after = [bundle("c", "6.8", "buffers = 2\n"), bundle("d", None, "buffers = 2\n")]
    kernel, config = compare_environments(base, after).differences
    assert (kernel.kind, kernel.name) == ("machine", "kernel")
    assert (kernel.base, kernel.after) == (("6.1",), ("6.8", None))
    assert (config.kind, config.name) == ("attachment", "my.cnf")
    assert config.changed_lines == ("--- a comment", "-buffers = 1", "+buffers = 2")


def test_attachments_that_unpack_to_too_much_are_compared_by_their_checksums(
    tmp_path: Path,
) -> None:
    def bundle(name: str, config: bytes) -> Bundle:
        files = {"my.cnf.gz": gzip.compress(config)}
        return step_run(tmp_path / name, changes={"attachments": list(files)}, files=files).bundle

    small, other = bundle("a", b"buffers = 1\n"), bundle("b", b"buffers = 2\n")
    large = bundle("c", b"buffers = 3\n" * LONGEST_ATTACHMENT)
    (difference,) = compare_environments([small], [other]).differences
    assert difference.changed_lines == ("-buffers = 1", "+buffers = 2")
    (difference,) = compare_environments([small], [large]).differences
    assert difference.base != difference.after
    assert difference.changed_lines == ()
