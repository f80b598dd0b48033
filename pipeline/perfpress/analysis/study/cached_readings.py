"""Reads the logs of all runs, each run once: readings are cached by the content of the run.

They stay in the cache, and are read from it on demand: those of a large archive fit no memory. What
is asked of all runs stands before them in the same file, and is read for each run at once.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import NamedTuple, overload

import msgspec

from perfpress.analysis.study.measured import Readings, read_logs_of_all
from perfpress.analysis.study.outline import KeptOutlined, Outlined, outlined
from perfpress.base.cache import VALUE, Cache, key_of, python_version_key
from perfpress.base.pace import Pace
from perfpress.input.bundles.read import Bundle
from perfpress.input.logs.readings import LogReading

STAGE = "logs"

AT_ONCE = 25
"""Runs whose logs are in memory before what they hold is kept; starting a process takes a while."""

MOST_IN_MEMORY = 16
"""Steps of runs, whose readings were asked for last; logs of hours have megabytes of numbers."""


class KeptRun(NamedTuple):
    """Where the readings of a run are."""

    file: str
    starts: Sequence[int]
    """Of each step, and the end of the last."""


class KeptReadings(Sequence[LogReading]):
    """The readings of one step of one run, in a file of the cache."""

    __slots__ = ("_run", "_step")

    def __init__(self, run: KeptRun, step: int) -> None:
        self._run, self._step = run, step

    @overload
    def __getitem__(self, at: int) -> LogReading: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[LogReading, ...]: ...
    def __getitem__(self, at: int | slice) -> LogReading | tuple[LogReading, ...]:
        """Read them, if they were not asked for a moment ago."""
        start, end = self._run.starts[self._step : self._step + 2]
        return _readings_at(self._run.file, start, end - start)[at]

    def __len__(self) -> int:
        """Return the number of logs."""
        return len(self[:])


@lru_cache(maxsize=MOST_IN_MEMORY)
def _readings_at(file: str, start: int, length: int) -> tuple[LogReading, ...]:
    with Path(file).open("rb", buffering=0) as content:
        content.seek(start)
        return msgspec.msgpack.decode(content.read(length), type=tuple[LogReading, ...])


class ReadRun(NamedTuple):
    """What the logs of a run say, by step."""

    outlined: Sequence[Outlined]
    readings: Readings


def _kept(cache: Cache, key: str) -> ReadRun | None:
    """Return what the cache has of a run, and where the readings are; None where it has nothing."""
    entry = cache.find(STAGE, key)
    if entry is None:
        return None
    file = entry / VALUE
    content = file.read_bytes()
    own, steps = msgspec.msgpack.decode(
        content, type=tuple[tuple[KeptOutlined, ...], tuple[msgspec.Raw, ...]]
    )
    lengths = [len(memoryview(step)) for step in steps]
    run = KeptRun(str(file), array("Q", accumulate(lengths, initial=len(content) - sum(lengths))))
    return ReadRun(
        tuple(each.read() for each in own),
        tuple(KeptReadings(run, step) for step in range(len(steps))),
    )


def read_all_logs(
    bundles: Sequence[Bundle], cache: Cache, progress: Callable[[str], None], processes: int = 1
) -> tuple[ReadRun, ...]:
    """Return what the logs of some bundles say, in their order.

    Args:
        bundles: with the steps that corrections left them.
        cache: keeps what was read.
        progress: called now and then with how far it is.
        processes: how many to read logs in.
    """
    keys = [_key(bundle) for bundle in bundles]
    cache.bring(STAGE, keys)
    found: dict[str, ReadRun | None] = {key: _kept(cache, key) for key in dict.fromkeys(keys)}
    pending = {key: bundle for key, bundle in zip(keys, bundles, strict=True) if found[key] is None}
    pace = Pace(progress, "reading the logs of runs")
    # In slices, so that a build that dies keeps what it read until then.
    for start in range(0, len(pending), AT_ONCE):
        pace.show(start, len(pending))
        some = list(islice(pending.items(), start, start + AT_ONCE))
        states = [bundle.file_states() for _, bundle in some]
        read = read_logs_of_all([(bundle, bundle.steps) for _, bundle in some], processes)
        kept = []
        for (key, bundle), own, before in zip(some, read, states, strict=True):
            is_kept = bundle.file_states() == before and bundle.is_unchanged()
            short = tuple(map(outlined, bundle.steps, own))
            if is_kept and not _has_defect(own):
                cache.keep_value(STAGE, key, (tuple(map(KeptOutlined.of, short)), own))
                kept.append(key)
                found[key] = _kept(cache, key)
            if found[key] is None:
                found[key] = ReadRun(short, own)
        cache.send(STAGE, kept)
    return tuple(each for key in keys if (each := found[key]) is not None)


def metrics_of(
    bundles: Sequence[Bundle], cache: Cache, progress: Callable[[str], None], processes: int = 1
) -> frozenset[str]:
    """Return the names of all metrics of some bundles."""
    runs = read_all_logs(bundles, cache, progress, processes)
    return frozenset(name for run in runs for step in run.outlined for name in step.measured)


def _key(bundle: Bundle) -> str:
    return key_of(python_version_key(), bundle.content_hash, bundle.shown_as, bundle.steps)


def _has_defect(readings: Readings) -> bool:
    """Return whether a log that failed may be readable next time."""
    found = (problem for each in readings for reading in each for problem in reading.problems)
    return any(problem.is_defect for problem in found)
