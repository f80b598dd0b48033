"""Corrections change what a run says or whether it counts, and never its bundle."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import good_bundle
from perfpress.base.problems import Problem
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import CorrectedRun, apply_corrections
from perfpress.input.corrections.files import (
    Accept,
    AnyCorrection,
    Correction,
    Invalid,
    Rename,
    Set,
    Supersede,
    correction_toml,
    parse_correction,
)

REPORT = "postgres-releases"
STEPS = [{"name": name, "operation": "o"} for name in ("select", "insert")]
MakeBundle = Callable[..., Bundle]


@pytest.fixture
def bundle(tmp_path: Path) -> MakeBundle:
    """Return a maker of bundles, each of another day."""
    count = iter(range(1, 28))

    def make(**changes: Any) -> Bundle:
        day = next(count)
        started = datetime(2023, 1, day, tzinfo=UTC)
        return good_bundle(tmp_path / str(day), {"started": started, "step": STEPS} | changes, {})

    return make


def correction(
    change: AnyCorrection, name: str = "2026-11-21-x.toml", report: str = REPORT
) -> Correction:
    read, problems = parse_correction(correction_toml(change), name, report, f"c/{name}")
    assert read is not None, problems
    return read


def applied(
    bundles: list[Bundle], *changes: AnyCorrection
) -> tuple[tuple[CorrectedRun, ...], list[Problem]]:
    corrections = [
        correction(change, f"2026-11-{number:02}-x.toml")
        for number, change in enumerate(changes, 1)
    ]
    return apply_corrections(bundles, corrections)


def problem_with(bundles: list[Bundle], change: AnyCorrection) -> str:
    """Return the only problem; nothing may have changed."""
    runs, (problem,) = applied(bundles, change)
    assert list(runs) == [CorrectedRun(bundle) for bundle in bundles]
    assert problem.line
    return str(problem)


def test_without_corrections_all_runs_count(bundle: MakeBundle) -> None:
    bundles = [bundle(), bundle()]
    runs, problems = apply_corrections(bundles, [])
    assert problems == []
    assert [run.bundle for run in runs] == bundles
    assert [run.status for run in runs] == ["valid", "valid"]
    assert [step.name for step in runs[0].steps] == ["select", "insert"]


def test_an_invalid_run_counts_nowhere(bundle: MakeBundle) -> None:
    bundles = [bundle(), bundle()]
    runs, problems = applied(bundles, Invalid(run=bundles[0].run_id, reason="noisy neighbour"))
    assert problems == []
    assert [run.status for run in runs] == ["invalid", "valid"]
    exclusion = runs[0].exclusion("select")
    assert exclusion is not None
    assert exclusion.reason == "noisy neighbour"
    assert runs[0].steps == ()
    assert [each.shown_as for each in runs[0].corrections] == ["c/2026-11-01-x.toml"]
    assert runs[1].corrections == ()


def test_one_step_of_a_run_can_be_invalid(bundle: MakeBundle) -> None:
    only = bundle()
    (run,), problems = applied([only], Invalid(run=only.run_id, step="select", reason="r"))
    assert problems == []
    assert run.status == "valid"
    assert run.exclusion("insert") is None
    assert [step.name for step in run.steps] == ["insert"]


def test_all_runs_of_a_release_can_be_invalid(bundle: MakeBundle) -> None:
    bundles = [bundle(release="17"), bundle(release="18"), bundle(release="18")]
    runs, _ = applied(bundles, Invalid(release="18", reason="debug build"))
    assert [run.status for run in runs] == ["valid", "invalid", "invalid"]


def test_a_superseded_run_names_its_replacement(bundle: MakeBundle) -> None:
    old, new = bundle(), bundle()
    change = Supersede(run=old.run_id, replacement=new.run_id, reason="wrong config")
    runs, problems = applied([old, new], change)
    assert problems == []
    assert [run.status for run in runs] == ["superseded", "valid"]
    assert runs[0].exclusions[0].replacement == new.run_id


def test_a_run_that_replaces_another_takes_its_place(bundle: MakeBundle) -> None:
    old = bundle()
    new = bundle(replaces=old.run_id)
    runs, problems = apply_corrections([old, new], [])
    assert problems == []
    assert [run.status for run in runs] == ["superseded", "valid"]
    assert runs[0].exclusions[0].replacement == new.run_id
    assert runs[0].exclusions[0].reason


def test_a_run_that_replaces_nothing_counts_as_a_repeat(bundle: MakeBundle) -> None:
    runs, (problem,) = apply_corrections([bundle(replaces="20200101-000000-00000000")], [])
    assert runs[0].status == "valid"
    assert str(problem).startswith("bundle/run.toml: `replaces` names '20200101-000000-00000000'")


def test_a_run_of_another_report_is_not_replaced(bundle: MakeBundle) -> None:
    other = bundle(report="other")
    runs, problems = apply_corrections([other, bundle(replaces=other.run_id)], [])
    assert [run.status for run in runs] == ["valid", "valid"]
    assert len(problems) == 1


@pytest.mark.parametrize(
    "other", [{"release": "17"}, {"clients": 8}, {"started": datetime(2024, 1, 1, tzinfo=UTC)}]
)
def test_a_run_replaces_only_an_earlier_one_of_its_release_and_variant(
    bundle: MakeBundle, other: dict[str, Any]
) -> None:
    replaced = bundle(**other)
    runs, (problem,) = apply_corrections([replaced, bundle(replaces=replaced.run_id)], [])
    assert [run.status for run in runs] == ["valid", "valid"]
    assert problem.expected == "the id of an earlier run of the same release and variant"


def test_a_run_replaces_one_whose_release_was_renamed(bundle: MakeBundle) -> None:
    old = bundle(release="18rc")
    new = bundle(replaces=old.run_id)
    runs, problems = applied([old, new], Rename(what="release", old="18rc", new="18", reason="r"))
    assert problems == []
    assert [run.status for run in runs] == ["superseded", "valid"]


def test_a_run_replaces_one_in_a_configuration_declared_the_same(bundle: MakeBundle) -> None:
    old = bundle(config="x10a")
    new, stated = bundle(config="x10b"), bundle(config="x10b", replaces=old.run_id)
    change = correction(Supersede(run=old.run_id, replacement=new.run_id, reason="r"))
    for runs, corrections in (([old, new], [change]), ([old, stated], [])):
        corrected, problems = apply_corrections(runs, corrections, [["x10a", "x10b"]])
        assert problems == []
        assert [run.status for run in corrected] == ["superseded", "valid"]
        _, (problem,) = apply_corrections(runs, corrections, [["x10a", "x10c"]])
        assert "variant" in problem.expected


def test_runs_cannot_replace_each_other(bundle: MakeBundle) -> None:
    first, second, third = bundle(), bundle(), bundle()
    one = Supersede(run=first.run_id, replacement=second.run_id, reason="r")
    two = Supersede(run=second.run_id, replacement=third.run_id, reason="r")
    three = Supersede(run=third.run_id, replacement=first.run_id, reason="r")
    runs, (problem,) = applied([first, second, third], one, two, three)
    assert [run.status for run in runs] == ["superseded", "superseded", "valid"]
    assert "itself replaced by this one" in problem.found


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("host", "socket3", lambda run: run.bundle.run.host),
        ("clients", 8, lambda run: run.bundle.run.clients),
        ("machine.kernel", "6.1", lambda run: run.bundle.run.machine["kernel"]),
        ("machine.os.name", "Debian", lambda run: run.bundle.run.machine["os.name"]),
        ("axes.size", "480m", lambda run: run.bundle.run.axes["size"]),
        ("tools.perf", "6.1", lambda run: run.bundle.run.tools["perf"]),
    ],
)
def test_a_key_of_a_run_is_set(
    bundle: MakeBundle, key: str, value: Any, read: Callable[[CorrectedRun], object]
) -> None:
    only = bundle()
    (run,), problems = applied([only], Set(run=only.run_id, key=key, value=value, reason="r"))
    assert problems == []
    assert read(run) == value
    assert run.bundle.run_id == only.run_id
    assert run.status == "valid"


def test_a_set_axis_moves_the_run_to_another_variant(bundle: MakeBundle) -> None:
    only = bundle()
    (run,), _ = applied([only], Set(run=only.run_id, key="clients", value=8, reason="r"))
    assert run.bundle.variant.slug == "socket2--8clients"


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("operations", 5000, lambda step: step.operations),
        ("seconds", 2.5, lambda step: step.seconds),
        ("work", "fixed", lambda step: step.work),
        ("capture.seconds", 10, lambda step: step.capture.seconds),
        ("capture.separate_run", True, lambda step: step.capture.separate_run),
    ],
)
def test_a_key_of_a_step_is_set(
    bundle: MakeBundle, key: str, value: Any, read: Callable[[Any], object]
) -> None:
    change = Set(release="18", step="select", key=key, value=value, reason="r")
    (run,), problems = applied([bundle()], change)
    assert problems == []
    assert [read(step) == value for step in run.bundle.steps] == [True, False]


def test_a_part_of_a_metric_is_set(bundle: MakeBundle) -> None:
    metric = {"value": 1.0, "unit": "B"}
    step = {"name": "s", "operation": "o", "metrics": {"a.b": metric}}
    change = Set(release="18", step="s", key="metrics.a.b.value", value=2, reason="r")
    (run,), problems = applied([bundle(step=[step])], change)
    assert problems == []
    assert run.bundle.steps[0].metrics["a.b"].value == 2


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("clients", "many", "'many' for 'clients'; expected a whole number"),
        ("clients", 0, "0 for 'clients'; expected a whole number >= 1"),
        ("cliens", 8, "the key 'cliens'; expected one of benchmark, host, "),
        ("release", "17", "the key 'release'; expected one of "),
        ("started", "x", "the key 'started'; expected one of "),
        ("host.name", "x", "the key 'host.name'; expected a key that has a value"),
        ("machine", "x", "'x' for 'machine'; expected a table"),
    ],
)
def test_what_cannot_be_set_is_reported(
    bundle: MakeBundle, key: str, value: Any, message: str
) -> None:
    only = bundle()
    assert message in problem_with([only], Set(run=only.run_id, key=key, value=value, reason="r"))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("seconds", float("inf"), "inf for 'seconds'; expected a number <= 1000000000.0"),
        (
            "capture.seconds",
            float("inf"),
            "inf for 'capture.seconds'; expected a number <= 1000000000.0",
        ),
        ("metrics.throughput.value", float("nan"), "nan for 'metrics.throughput.value'; expected"),
        ("metrics.throughput.unit", "ops/min", "expected throughput in operations/s"),
    ],
)
def test_what_cannot_be_set_for_a_step_is_reported(
    bundle: MakeBundle, key: str, value: Any, message: str
) -> None:
    metrics = {"throughput": {"value": 1.0, "unit": "operations/s"}}
    only = bundle(step=[{"name": "s", "operation": "o", "metrics": metrics}])
    assert message in problem_with(
        [only], Set(release="18", step="s", key=key, value=value, reason="r")
    )


def test_a_step_key_is_no_run_key(bundle: MakeBundle) -> None:
    only = bundle()
    assert "the key 'seconds'" in problem_with(
        [only], Set(release="18", key="seconds", value=1, reason="r")
    )
    change = Set(release="18", step="select", key="host", value="x", reason="r")
    assert "the key 'host'" in problem_with([only], change)


def test_a_renamed_release_has_its_new_name(bundle: MakeBundle) -> None:
    bundles = [bundle(release="18rc"), bundle(release="17")]
    runs, problems = applied(bundles, Rename(what="release", old="18rc", new="18", reason="r"))
    assert problems == []
    assert [run.bundle.run.release for run in runs] == ["18", "17"]
    assert runs[0].name_now("release", "18rc") == "18"
    assert runs[1].renames == ()


def test_a_release_may_become_another_and_not_another_spelling_of_it(bundle: MakeBundle) -> None:
    bundles = [bundle(release="C"), bundle(release="D")]
    runs, problems = applied(bundles, Rename(what="release", old="D", new="C", reason="r"))
    assert problems == []
    assert [run.bundle.run.release for run in runs] == ["C", "C"]
    change = Rename(what="release", old="D", new="C++", reason="r")
    assert (
        "'C++' has the address of 'C'; expected a name that no other release has"
        in problem_with(bundles, change)
    )


def test_a_release_may_have_another_spelling_of_its_own_name(bundle: MakeBundle) -> None:
    changes = Rename(what="release", old="18", new="18-", reason="r")
    assert applied([bundle()], changes)[1] == []


def test_corrections_may_use_names_of_before_and_after_a_rename(bundle: MakeBundle) -> None:
    changes = (
        Invalid(release="18", step="select", reason="r"),
        Accept(release="18", step="point-select", reason="r"),
        Set(release="18", step="select", key="seconds", value=3, reason="r"),
        Rename(what="step", old="select", new="point-select", reason="typo"),
    )
    (run,), problems = applied([bundle()], *changes)
    assert problems == []
    assert [step.name for step in run.bundle.steps] == ["point-select", "insert"]
    assert [step.name for step in run.steps] == ["insert"]
    assert run.bundle.steps[0].seconds == 3
    assert len(run.corrections) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            Rename(what="step", old="select", new="Insert", reason="r"),
            "'Insert' has the address of 'insert'; expected a name that no other step has",
        ),
        (Rename(what="step", old="select", new="vs", reason="r"), "a step may not be called 'vs'"),
        (
            Rename(what="release", old="18", new="steps", reason="r"),
            "a release may not be called 'steps'",
        ),
        (Rename(what="step", old="selct", new="x", reason="r"), "did you mean 'select'?"),
        (Invalid(run="2023", reason="r"), "no run '2023'; expected a run of the report"),
        (Invalid(release="19", reason="r"), "no release '19'"),
        (Invalid(release="18", step="scan", reason="r"), "no step 'scan'"),
        (Accept(release="18", variant="x", reason="r"), "no variant 'x'"),
    ],
)
def test_what_hits_nothing_is_reported(
    bundle: MakeBundle, change: AnyCorrection, message: str
) -> None:
    assert message in problem_with([bundle()], change)


def test_a_replacement_that_is_not_there_leaves_the_run(bundle: MakeBundle) -> None:
    only = bundle()
    runs, (problem,) = applied([only], Supersede(run=only.run_id, replacement="x", reason="r"))
    assert runs[0].status == "valid"
    assert problem.found == "no run 'x'"


@pytest.mark.parametrize(
    ("other", "step", "message"),
    [
        ({"release": "17"}, None, "release '17', variant 'socket2'; expected another run of"),
        ({"clients": 8}, None, "release '18', variant 'socket2--8clients'; expected"),
        ({"host": "b"}, "select", "release '18', variant 'b'; expected"),
        ({"step": STEPS[:1]}, "insert", "variant 'socket2' without the step 'insert'; expected"),
    ],
)
def test_a_run_of_another_cell_takes_no_place(
    bundle: MakeBundle, other: dict[str, Any], step: str | None, message: str
) -> None:
    run, another = bundle(), bundle(**other)
    change = Supersede(run=run.run_id, replacement=another.run_id, step=step, reason="r")
    problem = problem_with([run, another], change)
    assert problem.startswith("c/2026-11-01-x.toml:4: a run of ")
    assert message in problem
    assert problem.endswith("or only withdraw the run: perfpress amend invalid")


def test_a_renamed_run_supersedes_under_all_its_names(bundle: MakeBundle) -> None:
    old, new = bundle(release="17"), bundle(release="17-beta")
    runs, problems = applied(
        [old, new],
        Supersede(run=old.run_id, replacement=new.run_id, step="select", reason="r"),
        Rename(what="release", old="17-beta", new="17", reason="r"),
        Rename(what="step", old="select", new="read", reason="r"),
    )
    assert problems == []
    assert [each.name for each in runs[0].steps] == ["insert"]


def test_corrections_are_for_one_report(bundle: MakeBundle) -> None:
    bundles = [bundle(), bundle(report="other")]
    runs, _ = apply_corrections(bundles, [correction(Invalid(release="18", reason="r"))])
    assert [run.status for run in runs] == ["invalid", "valid"]
    _, (problem,) = apply_corrections(
        bundles, [correction(Invalid(release="18", reason="r"), report="none")]
    )
    assert problem.found == "no run belongs to report none"


def test_an_accepted_regression_stays_in_the_figures(bundle: MakeBundle) -> None:
    (run,), _ = applied([bundle()], Accept(release="18", reason="known, fix in 19"))
    assert run.status == "valid"
    assert [each.change.reason for each in run.corrections] == ["known, fix in 19"]
