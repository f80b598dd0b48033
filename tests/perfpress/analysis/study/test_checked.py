"""Bundles are looked through within a budget, and what is found is kept only if nothing changed."""

from dataclasses import replace
from pathlib import Path

import pytest
from bundle_samples import good_bundle, pgbench_log
from perfpress.analysis.study import checked
from perfpress.analysis.study.checked import without_refused
from perfpress.base.cache import Cache
from perfpress.base.limits import Budget
from perfpress.base.problems import Problem
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.read import Bundle


def test_a_bundle_that_takes_too_much_to_look_through_is_left_out_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(bundle: Bundle) -> list[Problem]:
        if bundle.directory.name == "hoard":
            bytes(4_000_000_000)
        return check_contents(bundle)

    monkeypatch.setattr(checked, "check_contents", look)
    monkeypatch.setattr(checked, "budget_of", lambda _: Budget(60, 1_000_000_000))
    bad = good_bundle(tmp_path / "hoard", {}, {"select.txt": pgbench_log(2000)})
    good = good_bundle(tmp_path / "good")
    kept, problems = without_refused([bad, good], Cache(tmp_path / "cache"))
    assert kept == (good,)
    (problem,) = problems
    assert problem.path == bad.shown_as
    assert problem.found == "looking through it needs more than 1.0 GB of memory, and was stopped"


def test_what_was_found_in_a_bundle_that_changed_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    bundle = good_bundle(tmp_path / "run")
    file = bundle.directory / bundle.files[0].name
    good = file.read_bytes()

    def look(bundle: Bundle) -> list[Problem]:
        file.write_bytes(b"password=hunter2\n")
        return check_contents(bundle)

    with monkeypatch.context() as patch:
        patch.setattr(checked, "check_contents", look)
        assert without_refused([bundle], cache)[0] == ()
    file.write_bytes(good)
    assert without_refused([bundle], cache) == ((bundle,), [])


def test_bundles_are_looked_through_side_by_side_once_and_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked, "AT_ONCE", 3)
    cache = Cache(tmp_path / "cache")
    bundles = [good_bundle(tmp_path / f"run{number}") for number in range(8)]
    for number in (1, 6):
        leak = {"select.txt": b"password=hunter2\n"}
        bundles[number] = good_bundle(tmp_path / f"leak{number}", {}, leak)
    bundles = [replace(each, shown_as=each.directory.name) for each in bundles]
    without_refused(bundles[:4], cache, processes=2)
    seen = tmp_path / "seen"
    seen.mkdir()

    def look(bundle: Bundle) -> list[Problem]:
        (seen / bundle.directory.name).touch()
        return check_contents(bundle)

    monkeypatch.setattr(checked, "check_contents", look)
    kept, problems = without_refused(bundles, cache, processes=2)
    assert [each.shown_as for each in kept] == [f"run{number}" for number in (0, 2, 3, 4, 5, 7)]
    assert [each.path.split("/")[0] for each in problems] == ["leak1", "leak6"]
    assert sorted(path.name for path in seen.iterdir()) == ["leak6", "run4", "run5", "run7"]
