"""Calls perf to find out available events and the content of recorded files."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.disk import temporary_directory
from perfpress.base.problems import BadInput, bad_input

DEFAULT_EVENT = "cycles"

FALLBACK_EVENT = "cpu-clock"
"""A timer of the kernel, taken for `DEFAULT_EVENT` where a machine has no hardware counters."""

PRIVILEGES = "ukh"
"""Modifiers that leave out a part of the samples; the others ask for precision."""


@dataclass(frozen=True)
class SampleCounts:
    """The samples of one event in a capture, and how many were lost."""

    samples: int = 0
    lost: int = 0
    """Samples that did not fit into perf's buffer."""


@dataclass(frozen=True)
class PerfCapture:
    """One capture as perf wrote it."""

    data: Path
    events: Mapping[str, SampleCounts]

    @property
    def samples(self) -> int:
        """Of all events."""
        return sum(counts.samples for counts in self.events.values())

    @property
    def lost(self) -> int:
        """Of all events."""
        return sum(counts.lost for counts in self.events.values())


def available_events(
    wanted: Sequence[str], target: Sequence[str], options: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the events that this machine samples when asked for those `wanted`.

    The only reliable way to know is to record: perf itself takes `cpu-clock` for `cycles` where
    there is no counter, and leaves out the kernel where it may not sample it (`cycles:u`). It keeps
    silent about both, and names them in the file.

    Args:
        wanted: as `perf record -e` takes them.
        target: what is to be recorded, as perf takes it: `-a`, `-p 4711`; nothing for perf's own
            child.
        options: more of `perf record`, tried with it: the frequency, the kind of call graph.

    Raises:
        BadInput: perf is not installed, or may not record that.
    """
    if shutil.which("perf") is None:
        raise bad_input(
            path="perf",
            found="not installed",
            expected="the profiler perf",
            do="install it (Debian: apt-get install linux-perf) or leave --profile out",
        )
    answer = ""
    without_counters = [FALLBACK_EVENT if name == DEFAULT_EVENT else name for name in wanted]
    with temporary_directory("perfpress-perf-") as directory:
        data = directory / "perf.data"
        for events in dict.fromkeys((tuple(wanted), tuple(without_counters))):
            asked = ("-e", ",".join(events), *options, *target, "-o", str(data))
            tried = call("record", *asked, "--", "sleep", "0.1")
            if tried.returncode == 0:
                return events_of(data)
            answer = answer or tried.stderr
    raise bad_input(
        path="perf record",
        found=first_sentences(answer),
        expected=f"samples of {', '.join(wanted)}",
        do=_what_to_do(answer, target),
    )


def _what_to_do(answer: str, target: Sequence[str]) -> str:
    """Return the advice for an error of perf."""
    if re.search(r"not supported|event syntax error|Cannot find PMU", answer):
        return "choose one of: perf list"
    if re.search(r"call-graph|callchain|branch stack", answer):
        return "correct --call-graph: fp or dwarf,BYTES; lbr where the CPU records branches"
    if "-a" in target:
        return (
            "run as root; or: sysctl kernel.perf_event_paranoid=0; "
            "or sample some processes only: --pid, --name, --backend, --command"
        )
    if "-p" in target:
        return "run as root, or as the user that the process belongs to"
    return "run as root, or: sysctl kernel.perf_event_paranoid=1"


def recorded(data: Path) -> PerfCapture:
    """Return the events and sample counts of a file of perf.

    Raises:
        BadInput: perf cannot read it.
    """
    events = events_of(data)
    counts = counts_of(call("report", "--stats", "-i", str(data)).stdout)
    return PerfCapture(data, {event: counts.get(event, SampleCounts()) for event in events})


def events_of(data: Path) -> tuple[str, ...]:
    """Return the events that a file of perf holds.

    Raises:
        BadInput: perf cannot read it.
    """
    listed = call("evlist", "-i", str(data))
    names = [line for line in listed.stdout.split("\n") if line and not line.startswith("#")]
    # perf's own event, for the memory mappings.
    events = dict.fromkeys(event_name(name) for name in names if not name.startswith("dummy:"))
    if listed.returncode != 0 or not events:
        raise failed("perf evlist", listed.stderr)
    return tuple(events)


def event_name(listed: str) -> str:
    """Return an event's name as profiles have it, without its device and what asks for precision.

    `cycles:ppp` and `cpu_core/cycles/P` are `cycles`; `cycles:u` is another event, and so is a
    tracepoint such as `sched:sched_switch`.
    """
    name = re.sub(r"^cpu_(?:core|atom|lowpower)/([^/]+)/", r"\1:", listed.strip()).rstrip(":")
    base, colon, modifiers = name.rpartition(":")
    if not colon or not re.fullmatch(r"[ukhpPGHSDIWeb]+", modifiers):
        return name
    kept = "".join(letter for letter in modifiers if letter in PRIVILEGES)
    return f"{base}:{kept}" if kept else base


def counts_of(statistics: str) -> dict[str, SampleCounts]:
    """Parse the counts of `perf report --stats`, by event.

    Where perf prints totals with percentages, `LOST_SAMPLES` counts records instead; only the
    section of each event counts samples:

            LOST_SAMPLES events:          2  ( 0.0%)
        cpu-clock stats:
                  SAMPLE events:       5365
            LOST_SAMPLES events:        789
    """
    counts: dict[str, SampleCounts] = {}
    event = ""
    for line in statistics.split("\n"):
        if heading := re.fullmatch(r"(\S.*) stats:\s*", line):
            event = "" if heading[1] == "Aggregated" else event_name(heading[1])
        elif event and (row := re.fullmatch(r" *(SAMPLE|LOST_SAMPLES) events: +(\d+)\s*", line)):
            so_far = counts.get(event, SampleCounts())
            number = int(row[2])
            counts[event] = (
                SampleCounts(so_far.samples + number, so_far.lost)
                if row[1] == "SAMPLE"
                else SampleCounts(so_far.samples, so_far.lost + number)
            )
    return counts


def write_script(data: Path, text: Path) -> None:
    """Write a file of perf as `perf script` text.

    Inlined functions are not looked up: addr2line takes minutes for what perf script does in
    seconds, and the stacks of two releases compare as well without them. Where samples were lost a
    line says so, for those who get the text alone.

    Raises:
        BadInput: perf failed.
    """
    with text.open("wb") as lines:
        done = subprocess.run(
            ["perf", "script", "--no-inline", "--show-lost-events", "-i", data],
            stdin=subprocess.DEVNULL,
            stdout=lines,
            stderr=subprocess.PIPE,
            process_group=0,
            check=False,
        )
    if done.returncode != 0:
        raise failed("perf script", done.stderr.decode("utf-8", "replace"))


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run perf; return what it answers. Ctrl-C does not reach it."""
    return subprocess.run(
        ["perf", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        process_group=0,
        check=False,
    )


def failed(command: str, answer: str) -> BadInput:
    """Return the exception for a failed call of perf, with its output."""
    return bad_input(
        path=command,
        found=first_sentences(answer) or "failed without a word",
        expected="a capture",
        do="run the same command by hand to see more",
    )


def first_sentences(answer: str) -> str:
    """Return the beginning of what perf says, in one line: it can be a page long."""
    words = " ".join(answer.split()).removeprefix("Error: ")
    if len(words) <= LONGEST_ANSWER:
        return words
    shown = words[:LONGEST_ANSWER]
    end = max(shown.rfind(". "), shown.rfind(" "))
    return f"{shown[: end if end > 0 else None].rstrip('.')} …"


LONGEST_ANSWER = 160
"""Characters."""
