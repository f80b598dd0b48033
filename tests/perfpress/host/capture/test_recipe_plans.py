"""What recipes measure, and in which order: no release or setting always runs first."""

from collections import Counter

import pytest
from recipes import mariadb, rocksdb
from recipes.downloads import Download
from recipes.mariadb_log_flush.plan import FLUSHES, PROFILES, rounds
from recipes.rocksdb_tombstones import __main__ as tombstones

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
    *repeats, profiles = rounds(3)
    assert all({one.flush for one in each} == set(FLUSHES) for each in repeats)
    assert {each[0].flush for each in repeats} == set(FLUSHES)
    assert Counter((one.flush, one.profile) for one in profiles) == Counter(
        (flush, profile) for profile in PROFILES for flush in FLUSHES
    )


def test_lookups_take_turns_and_each_is_profiled_once() -> None:
    order = list(tombstones.order(4))
    assert [one.lookup for one in order[:8:2]] == ["unbounded", "bounded"] * 2
    assert Counter(one.lookup for one in order[:8]) == {"unbounded": 4, "bounded": 4}
    assert [one.lookup for one in order[8:] if one.is_profiled] == list(tombstones.LOOKUPS)
