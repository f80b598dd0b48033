"""Runs vmstat, iostat and perf stat on the host while a benchmark runs."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from perfpress.base.problems import bad_input


class Counter(NamedTuple):
    """A program that prints counts at intervals until it is stopped."""

    file: str
    """The name of the log that it makes."""
    command: tuple[str, ...]


VMSTAT = Counter("vmstat.txt", ("vmstat", "-n", "-t", "1"))
"""One line a second with its time, the header once. The first line has averages since boot."""

IOSTAT = Counter("iostat.txt", ("iostat", "-k", "-x", "-t", "-y", "1"))

PERF_STAT = Counter("perf-stat.txt", ("perf", "stat", "-a", "-I", "1000", "--log-fd", "1"))

FILES = tuple(counter.file for counter in (VMSTAT, IOSTAT, PERF_STAT))


def check_perf_stat() -> None:
    """Check that perf may count on the whole host.

    Raises:
        BadInput: it is not installed, or may not.
    """
    expected = "perf stat -a"
    if shutil.which("perf") is None:
        do = "install it (Debian: apt-get install linux-perf) or leave --perf-stat out"
        raise bad_input(path="perf", found="not installed", expected=expected, do=do)
    tried = subprocess.run(
        ["perf", "stat", "-a", "--", "true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if tried.returncode != 0:
        found = " ".join(tried.stderr.split())[:200]
        do = "run as root, or: sysctl kernel.perf_event_paranoid=0"
        raise bad_input(path="perf stat", found=found, expected=expected, do=do)


@contextmanager
def host_counters(directory: Path, perf_stat: bool = False) -> Iterator[list[Path]]:
    """Let counters write into `directory` while the block runs; yield the files they write.

    A counter that is not installed is left out.
    """
    wanted = [VMSTAT, IOSTAT, *([PERF_STAT] if perf_stat else [])]
    there = [counter for counter in wanted if shutil.which(counter.command[0])]
    running = [_Running(counter, directory / counter.file) for counter in there]
    try:
        yield [directory / counter.file for counter in there]
    finally:
        for each in running:
            each.stop()


class _Running:
    """A running counter.

    What it prints comes through a pipe: so it ends with this process, even where that is killed.
    """

    def __init__(self, counter: Counter, path: Path) -> None:
        # Times are in the zone of the environment, words in its language.
        environment = os.environ | {"TZ": "UTC", "LC_ALL": "C", "S_TIME_FORMAT": "ISO"}
        self._process = subprocess.Popen(
            counter.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
            process_group=0,
        )
        self._copying = threading.Thread(target=self._copy, args=(path,), daemon=True)
        self._copying.start()

    def _copy(self, path: Path) -> None:
        printed = self._process.stdout
        assert printed is not None
        # On a full disk the log breaks off, and the counter with it.
        with printed, suppress(OSError), path.open("wb", buffering=0) as lines:
            while piece := printed.read(65536):
                lines.write(piece)

    def stop(self) -> None:
        """Stop it after it has printed its last counts."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._copying.join()
