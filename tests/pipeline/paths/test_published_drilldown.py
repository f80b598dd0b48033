"""The percentages of a published drilldown, from the profiles that its author took them from.

The published numbers are those of https://smalldatum.blogspot.com/ (MyRocks 5.6, September 2023):
the step l.i1, each build a row.
"""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from profile_samples import profile_of_stacks
from real_data import real_data

from pipeline.paths.evaluate import evaluate
from pipeline.paths.parse import over_whole_profile, parse_path
from pipeline.profile import Profile

BUILDS = ("2022-03-07", "2022-05-19", "2022-08-09", "2023-02-16", "2023-05-29")


@pytest.fixture(scope="module")
def profiles() -> list[Profile]:
    return [read_stacks(real_data(f"myrocks56-ibench/{build}/l.i1")) for build in BUILDS]


def read_stacks(folder: Path) -> Profile:
    stacks: Counter[tuple[str, ...]] = Counter()
    with gzip.open(folder / "stacks.folded.gz", "rt") as lines:
        for line in lines:
            stack, _, weight = line.rpartition(" ")
            stacks[tuple(stack.split(";"))] += int(weight)
    return profile_of_stacks(stacks)


def percentages(profiles: list[Profile], text: str) -> list[float]:
    shares = [evaluate(profile, parse_path(text)).share for profile in profiles]
    return [round(100 * share, 2) for share in shares if share is not None]


@pytest.mark.parametrize(
    ("path", "published"),
    [
        ("my-oneconnection", [49.89, 49.51, 51.38, 51.49, 50.04]),
        ("rocksdb:high", [2.46, 2.45, 2.41, 2.80, 2.74]),
        ("rocksdb:low", [47.41, 47.94, 46.11, 45.19, 46.67]),
        ("my-oneconnection >> MYSQLparse", [2.32, 2.13, 2.06, 2.16, 2.14]),
        ("my-oneconnection >> ha_commit_trans", [11.45, 11.27, 11.18, 12.67, 12.52]),
        ("my-oneconnection >> mysql_delete", [17.10, 17.21, 18.24, 17.41, 16.75]),
        ("ha_commit_trans >> WriteBatchInternal::Iterate", [7.96, 7.92, 7.80, 9.07, 8.83]),
        (
            "ha_commit_trans >> MemTableInserter::PutCFImpl | MemTableInserter::PutCF",
            [3.77, 3.73, 3.84, 4.51, 4.38],
        ),
        # What the author calls the first place where the stack of rocksdb:low splits.
        (
            "rocksdb:low >> ThreadPoolImpl::Impl::BGThreadWrapper",
            [41.73, 41.75, 38.86, 34.14, 34.87],
        ),
        (
            "rocksdb:low >> !BGThreadWrapper >> CompactionJob::ProcessKeyValueCompaction",
            [5.47, 6.04, 7.09, 10.96, 11.72],
        ),
        (
            "rocksdb:low >> !BGThreadWrapper >> CompactionJob::* > CompactionIterator::Next",
            [2.54, 2.67, 3.18, 5.27, 5.81],
        ),
    ],
)
def test_along_a_call_path(profiles: list[Profile], path: str, published: list[float]) -> None:
    assert percentages(profiles, path) == published


def test_over_the_whole_profile_the_same_function_is_a_multiple(profiles: list[Profile]) -> None:
    path = parse_path("rocksdb:low >> !BGThreadWrapper >> CompactionJob::ProcessKeyValueCompaction")
    along = evaluate(profiles[0], path).share
    whole = evaluate(profiles[0], over_whole_profile(path)).share
    assert along is not None
    assert whole is not None
    assert round(100 * whole, 2) == 45.90
    assert whole / along > 8
