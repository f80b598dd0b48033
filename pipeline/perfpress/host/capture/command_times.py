"""Times a command whose output has no rate, and writes the times as a log."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median, stdev

from perfpress.host.capture.running import Ending
from perfpress.input.logs.metric_names import EXACT
from perfpress.input.logs.read import DescriptionFile, read_log

FILE = "command-times.json"
"""In the layout of hyperfine's `--export-json`, which has a parser: an operation is one run."""

BYTES_OF_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""getrusage(2): kilobytes on Linux, bytes on macOS."""

RATES = {"throughput", "time_per_operation"}


def has_rate(logs: Sequence[Path], formats: Mapping[str, str | DescriptionFile]) -> bool:
    """Return whether a log has a rate or an exact count; if not, the command itself is timed.

    Args:
        logs: of one step.
        formats: how they are read, by name, where that is not recognised.
    """
    readings = [read_log(path, path.name, formats.get(path.name)) for path in logs]
    return any(
        metric.name in RATES or metric.name in EXACT
        for reading in readings
        for metrics in (reading.metrics, *(each.metrics for each in reading.benchmarks))
        for metric in metrics
    )


def write_times(path: Path, command: str, endings: Sequence[Ending]) -> None:
    """Write the times of a command, and the most memory that it held.

    Args:
        path: of the file.
        command: as it may be published.
        endings: of its runs, one after the other; at least one, and all with status 0.
    """
    times = [ending.seconds for ending in endings]
    result = {
        "command": command,
        "mean": fmean(times),
        "stddev": stdev(times) if len(times) > 1 else None,
        "median": median(times),
        "user": fmean(ending.user for ending in endings),
        "system": fmean(ending.system for ending in endings),
        "min": min(times),
        "max": max(times),
        "times": times,
        "memory_usage_byte": [ending.maxrss * BYTES_OF_MAXRSS for ending in endings],
        "exit_codes": [0 for _ in endings],
    }
    path.write_text(json.dumps({"results": [result]}, indent=2) + "\n", encoding="utf-8")
