"""Reads the logs of all runs, each run once: what was read is kept by the run's content."""

import time
from collections.abc import Callable, Sequence

import msgspec

from pipeline.build.cache import Cache, key_of, python_version_key
from pipeline.bundle.read import Bundle
from pipeline.logs.readings import LogReading
from pipeline.study.measured import read_logs

STAGE = "logs"
ANSWER = "readings.msgpack"
TELL_EVERY = 2.0
"""Seconds."""

Readings = tuple[tuple[LogReading, ...], ...]
"""Of a bundle: one tuple a step, with one reading a log."""


def read_all_logs(
    bundles: Sequence[Bundle], cache: Cache, tell: Callable[[str], None]
) -> tuple[Readings, ...]:
    """Return the readings of some bundles, in their order.

    Args:
        bundles: with the steps that corrections left them.
        cache: keeps what was read.
        tell: hears now and then how far it is.
    """
    found: list[Readings] = []
    told = time.monotonic()
    for bundle in bundles:
        if time.monotonic() - told > TELL_EVERY:
            tell(f"reading the logs of run {len(found) + 1:,} of {len(bundles):,}")
            told = time.monotonic()
        found.append(_readings(bundle, cache))
    return tuple(found)


def _readings(bundle: Bundle, cache: Cache) -> Readings:
    key = key_of(python_version_key(), bundle.content_hash, bundle.shown_as, bundle.steps)
    directory = cache.directory(STAGE, key)
    if not directory.is_dir():
        with cache.filling(STAGE, key) as filling:
            encoded = msgspec.msgpack.encode(read_logs(bundle, bundle.steps))
            (filling / ANSWER).write_bytes(encoded)
    return msgspec.msgpack.decode((directory / ANSWER).read_bytes(), type=Readings)
