"""Programs that stand in for benchmarks and for perf; see `capture/conftest.py`."""

from collections.abc import Callable
from pathlib import Path

Program = Callable[[str, str], Path]

FAKE_PERF = """
import sys, time, pathlib
words = sys.argv[1:]
calls = pathlib.Path(__file__).with_name("perf.calls")
with calls.open("a") as file:
    file.write(" ".join(words) + "\\n")
if words == ["--version"]:
    print("perf version 6.1.187")
elif words[0] == "record":
    if words[words.index("-e") + 1] == "instructions":
        sys.exit("The instructions event is not supported.")
    time.sleep(float(words[-1]))
    pathlib.Path(words[words.index("-o") + 1]).write_text("recorded")
elif words[0] == "evlist":
    print("cpu-clock")
elif words[0] == "report":
    print("Aggregated stats:")
    print("    LOST_SAMPLES events:          2  ( 0.0%)")
    print("cpu-clock stats:")
    print("          SAMPLE events:        812")
    print("    LOST_SAMPLES events:          7")
elif words[0] == "script":
    print("postgres 10804  1292.898791:    5025125 cpu-clock: ")
    print("\\t          10d4a9 _start+0x29 (/srv/18/bin/postgres)")
    print()
"""
"""Answers as perf 6.1 does on a machine without hardware counters."""
