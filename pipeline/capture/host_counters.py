"""Counts what the whole host does while a benchmark runs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE_NAME = "vmstat.txt"

VMSTAT = ["vmstat", "-n", "-t", "1"]
"""One line a second with its time, the header once. The first line tells averages since boot."""


@contextmanager
def host_counters(path: Path) -> Iterator[bool]:
    """Write `vmstat` lines into `path` while the block runs; say whether there is a `vmstat`."""
    if shutil.which(VMSTAT[0]) is None:
        yield False
        return
    # The time column is in the zone of the environment, the other words in its language.
    environment = os.environ | {"TZ": "UTC", "LC_ALL": "C"}
    with (
        path.open("wb") as lines,
        subprocess.Popen(
            VMSTAT, stdin=subprocess.DEVNULL, stdout=lines, env=environment
        ) as process,
    ):
        try:
            yield True
        finally:
            process.terminate()
