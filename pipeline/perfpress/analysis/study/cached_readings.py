"""Reads the logs of all runs, each run once: readings are cached by the content of the run.

They stay in the cache, and are read from it on demand: those of a large archive fit no memory.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, islice
from pathlib import Path
from typing import overload

import msgspec

from perfpress.analysis.study.measured import Readings, read_logs_of_all
from perfpress.base.cache import VALUE, Cache, key_of, python_version_key
from perfpress.base.pace import Pace
from perfpress.input.bundles.read import Bundle
from perfpress.input.logs.readings import LogReading

STAGE = "logs"

AT_ONCE = 25
"""Runs whose logs are in memory before what they hold is kept; starting a process takes a while."""

MOST_IN_MEMORY = 16
"""Steps of runs, whose readings were asked for last; logs of hours have megabytes of numbers."""


class KeptReadings(Sequence[LogReading]):
    """The readings of one step of one run, in a file of the cache."""

    __slots__ = ("_file", "_length", "_start")

    def __init__(self, file: str, start: int, length: int) -> None:
        self._file, self._start, self._length = file, start, length

    @overload
    def __getitem__(self, at: int) -> LogReading: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[LogReading, ...]: ...
    def __getitem__(self, at: int | slice) -> LogReading | tuple[LogReading, ...]:
        """Read them, if they were not asked for a moment ago."""
        return _readings_at(self._file, self._start, self._length)[at]

    def __len__(self) -> int:
        """Return the number of logs."""
        return len(self[:])


@lru_cache(maxsize=MOST_IN_MEMORY)
def _readings_at(file: str, start: int, length: int) -> tuple[LogReading, ...]:
    with Path(file).open("rb", buffering=0) as content:
        content.seek(start)
        return msgspec.msgpack.decode(content.read(length), type=tuple[LogReading, ...])


def _kept(cache: Cache, key: str) -> tuple[KeptReadings, ...] | None:
    """Return where the cache has the readings of a run, by step; None where it has none."""
    entry = cache.find(STAGE, key)
    if entry is None:
        return None
    file = entry / VALUE
    steps = msgspec.msgpack.decode(file.read_bytes(), type=tuple[msgspec.Raw, ...])
    lengths = [len(memoryview(step)) for step in steps]
    # What stands before the first step is the number of them.
    first = file.stat().st_size - sum(lengths)
    starts = accumulate(lengths[:-1], initial=first) if lengths else ()
    return tuple(map(partial(KeptReadings, str(file)), starts, lengths))


def read_all_logs(
    bundles: Sequence[Bundle], cache: Cache, progress: Callable[[str], None], processes: int = 1
) -> tuple[Readings, ...]:
    """Return the readings of some bundles, in their order.

    Args:
        bundles: with the steps that corrections left them.
        cache: keeps what was read.
        progress: called now and then with how far it is.
        processes: how many to read logs in.
    """
    keys = [_key(bundle) for bundle in bundles]
    cache.bring(STAGE, keys)
    found: dict[str, Readings | None] = {key: _kept(cache, key) for key in dict.fromkeys(keys)}
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
            if is_kept and not _has_defect(own):
                cache.keep_value(STAGE, key, own)
                kept.append(key)
                found[key] = _kept(cache, key)
            if found[key] is None:
                found[key] = own
        cache.send(STAGE, kept)
    return tuple(readings for key in keys if (readings := found[key]) is not None)


def _key(bundle: Bundle) -> str:
    return key_of(python_version_key(), bundle.content_hash, bundle.shown_as, bundle.steps)


def _has_defect(readings: Readings) -> bool:
    """Return whether a log that failed may be readable next time."""
    found = (problem for each in readings for reading in each for problem in reading.problems)
    return any(problem.is_defect for problem in found)
