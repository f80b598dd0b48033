"""Reads the logs of all runs, each run once: readings are cached by the content of the run."""

import time
from collections.abc import Callable, Sequence
from itertools import islice

from perfpress.analysis.study.measured import Readings, read_logs_of_all
from perfpress.base.cache import Cache, key_of, python_version_key
from perfpress.input.bundles.read import Bundle

REPORT_EVERY = 2.0
"""Seconds."""

STAGE = "logs"

AT_ONCE = 100
"""Runs whose logs are read before what they hold is kept; starting a process takes a while."""


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
    found = {key: cache.find_value(STAGE, key, Readings) for key in dict.fromkeys(keys)}
    pending = {key: bundle for key, bundle in zip(keys, bundles, strict=True) if found[key] is None}
    reported = time.monotonic()
    # In slices, so that a build that dies keeps what it read until then.
    for start in range(0, len(pending), AT_ONCE):
        if time.monotonic() - reported > REPORT_EVERY:
            progress(f"reading the logs of run {start + 1:,} of {len(pending):,}")
            reported = time.monotonic()
        some = list(islice(pending.items(), start, start + AT_ONCE))
        states = [bundle.file_states() for _, bundle in some]
        read = read_logs_of_all([(bundle, bundle.steps) for _, bundle in some], processes)
        kept = []
        for (key, bundle), own, before in zip(some, read, states, strict=True):
            found[key] = own
            is_kept = bundle.file_states() == before and bundle.is_unchanged()
            if is_kept and not _has_defect(own):
                cache.keep_value(STAGE, key, own)
                kept.append(key)
        cache.send(STAGE, kept)
    return tuple(readings for key in keys if (readings := found[key]) is not None)


def _key(bundle: Bundle) -> str:
    return key_of(python_version_key(), bundle.content_hash, bundle.shown_as, bundle.steps)


def _has_defect(readings: Readings) -> bool:
    """Return whether a log that failed may be readable next time."""
    found = (problem for each in readings for reading in each for problem in reading.problems)
    return any(problem.is_defect for problem in found)
