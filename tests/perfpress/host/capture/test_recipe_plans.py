"""What recipes measure, and in which order: no release or setting always runs first."""

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from recipes import mariadb, rocksdb
from recipes.downloads import Download
from recipes.mariadb_binlog import __main__ as binlog
from recipes.mariadb_binlog import plan as binlog_plan
from recipes.mariadb_log_flush import __main__ as log_flush
from recipes.mariadb_log_flush.plan import FLUSHES, PROFILES, order
from recipes.rocksdb_insert_benchmark import __main__ as insert_benchmark
from recipes.rocksdb_insert_benchmark import plan as insert_benchmark_plan
from recipes.rocksdb_tombstones import __main__ as tombstones
from recipes.two_hosts import __main__ as two_hosts

RESULTS = Path("data/results")
MEASURED = {
    binlog: r"--time=(\d+)",
    insert_benchmark: r" query (\d+)",
    log_flush: r"--time=(\d+)",
    tombstones: r"database (\d+)",
}
"""Where the seconds are in the commands of a recipe's bundles."""
DOWNLOADS = [
    each.download
    for module in (mariadb, rocksdb)
    for each in vars(module).values()
    if isinstance(each, (mariadb.Release, rocksdb.Release))
]


@pytest.mark.parametrize("download", DOWNLOADS, ids=lambda each: each.file_name)
def test_every_download_is_pinned(download: Download) -> None:
    assert len(bytes.fromhex(download.sha256)) == 32
    assert download.url.startswith("https://")


def test_each_setting_runs_in_each_round_and_each_begins_one() -> None:
    *repeats, profiles = order(3)
    assert all({one.flush for one in each} == set(FLUSHES) for each in repeats)
    assert {each[0].flush for each in repeats} == set(FLUSHES)
    assert Counter((one.flush, one.profile) for one in profiles) == Counter(
        (flush, profile) for profile in PROFILES for flush in FLUSHES
    )


def test_each_server_runs_in_each_round_each_begins_one_and_each_is_profiled() -> None:
    servers = [(one.release, one.binary_log) for one in binlog_plan.order(0)]
    order = list(binlog_plan.order(len(servers)))
    rounds = [order[at : at + len(servers)] for at in range(0, len(order), len(servers))]
    for each in rounds:
        assert {(one.release, one.binary_log) for one in each} == set(servers)
    assert len({(each[0].release, each[0].binary_log) for each in rounds[:-1]}) == len(servers)
    assert [one.is_profiled for one in order] == [False] * len(servers) ** 2 + [True] * len(servers)


def test_each_release_runs_in_each_round_each_begins_one_and_each_is_profiled() -> None:
    releases = insert_benchmark_plan.RELEASES
    order = list(insert_benchmark_plan.order(len(releases)))
    rounds = [order[at : at + len(releases)] for at in range(0, len(order), len(releases))]
    assert all({one.release for one in each} == set(releases) for each in rounds)
    assert {each[0].release for each in rounds[:-1]} == set(releases)
    assert [one.is_profiled for one in order] == [False] * len(releases) ** 2 + [True] * len(
        releases
    )


def test_lookups_take_turns_and_each_has_each_profile_once() -> None:
    order = list(tombstones.order(4))
    assert [one.lookup for one in order[:8:2]] == ["unbounded", "bounded"] * 2
    assert Counter(one.lookup for one in order[:8]) == {"unbounded": 4, "bounded": 4}
    assert Counter((one.lookup, one.profile) for one in order[8:]) == Counter(
        (lookup, profile) for lookup in tombstones.LOOKUPS for profile in tombstones.PROFILES
    )


def test_each_of_two_hosts_has_a_release_of_its_own_and_begins_a_round() -> None:
    one, two = two_hosts.Host("a", "python", 1), two_hosts.Host("b", "python", 2)
    assert list(two_hosts.order([one, two]))[:4] == [one, two, two, one]


@pytest.mark.parametrize("recipe", MEASURED, ids=lambda each: each.__package__)
def test_the_help_states_the_repeats_and_seconds_that_the_report_was_measured_with(
    recipe: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["recipe", "--help"])
    with pytest.raises(SystemExit):
        recipe.main()
    repeats, seconds = map(int, re.findall(r"\(default:\s+(\d+)\)", capsys.readouterr().out))
    runs = Counter[str]()
    for file in (RESULTS / recipe.REPORT).rglob("run.toml"):
        steps = tomllib.loads(file.read_text("utf-8"))["step"]
        if not any("captures" in step for step in steps):
            commands = [re.search(MEASURED[recipe], step["command"]) for step in steps]
            assert {int(found[1]) for found in commands if found} == {seconds}
            runs[str(file.parents[1])] += 1
    assert set(runs.values()) == {repeats}
