"""What recipes take while a step runs: captures, and logs of programs of their own."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from perfpress.host.capture.step import StepRequest
from perfpress.input.logs.described import read_parser
from recipes.captures import Captures, taken_during
from recipes.rocksdb_insert_benchmark.__main__ import FILES


def running(marker: Path) -> tuple[str, ...]:
    """Return a command that removes a file when it ends, after two seconds."""
    program = f"import os, time; time.sleep(2); os.remove({str(marker)!r})"
    return (sys.executable, "-c", program)


def test_all_captures_are_of_the_load_however_long_their_files_take(tmp_path: Path) -> None:
    marker = tmp_path / "runs"
    marker.touch()

    def take() -> Callable[[], bytes]:
        loaded = marker.exists()

        def content() -> bytes:
            time.sleep(0.5)
            return b"loaded" if loaded else b"idle"

        return content

    directory = tmp_path / "run"
    directory.mkdir()
    request = StepRequest("off-CPU time", "operation", running(marker))
    step = taken_during(request, directory, Captures("txt", take, 0.1))
    assert [(directory / name).read_bytes() for name in step.captures] == [b"loaded"] * 4
    assert step.capture.separate_run


def test_the_log_of_the_insert_benchmark_has_the_files_that_queries_search() -> None:
    parser, problems = read_parser(FILES / "log.toml", "log.toml")
    assert parser is not None, problems
    log = ["files in level 0: 3", "second 1: 106112.0/s", "p50: 8.833 us", "throughput: 108092.0/s"]
    found = {each.name: each.value for each in parser.parse(log, "log").metrics}
    assert found["level0_files"] == 3
