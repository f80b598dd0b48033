"""Measure `perfpress fold` beside inferno and zcat: `make bench`.

Every case runs in pairs, ours, theirs, ours, theirs …, whole processes writing to a file, so that
what else the machine does disturbs both alike; ratios are taken pair by pair, and their median is
what counts. CPU seconds are the steadier column where the machine is busy. All input lies in the
page cache.

Captures are those of the real data beside the project (PERFPRESS_DATA moves it), where present,
and the one that `make bench-capture` recorded.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
DATA = Path(os.environ.get("PERFPRESS_DATA", PROJECT.parent / "shared" / "data"))
CACHE = PROJECT / "tests" / "bench" / ".cache"
RECORDED = CACHE / "large.perf-script"

NODE = PROJECT / "node_modules" / ".bin" / "node"
FOLD: list[str | Path] = [NODE, PROJECT / "pipeline" / "profile" / "cli" / "main.js", "fold"]
INFERNO_VERSION = "0.12.8"
INFERNO = CACHE / "inferno" / "bin" / "inferno-collapse-perf"

OF_INFERNO, OF_ZCAT = 0.35, 0.8
TIMES = 8
"""How often a capture is repeated in a long one."""

Command = list[str | Path]


@dataclass(frozen=True)
class Case:
    """Two commands that do the same work."""

    name: str
    ours: Command
    theirs: Command
    aim: float | None = None
    """What the ratio of CPU times should not be above."""


@dataclass(frozen=True)
class Run:
    """What one process took."""

    seconds: float
    cpu_seconds: float
    peak_mib: float


def main(arguments: Sequence[str]) -> None:
    """Print a table of all cases."""
    parser = argparse.ArgumentParser(description="Measure perfpress fold beside inferno and zcat.")
    parser.add_argument("--pairs", type=int, default=7, help="runs of each side (default: 7)")
    pairs = parser.parse_args(arguments).pairs
    captures = list(plain_captures())
    if not captures:
        print(f"nothing to fold in {DATA / 'captures'}; record a capture with: make bench-capture")
        return
    install_inferno()
    print(f"{'':<36} {'seconds':>13} {'ratio':>6} {'CPU':>6} {'peak MiB':>13}  aim of CPU")
    for capture in captures:
        print(f"{capture.name}, {capture.stat().st_size / 1e6:.0f} MB")
        for case in cases(capture):
            print(report(case, pairs), flush=True)


def install_inferno() -> None:
    """Build the tool to compare with, once; its sources are none of our business."""
    if INFERNO.exists():
        return
    print(f"installing inferno {INFERNO_VERSION} …", file=sys.stderr)
    version = f"inferno@{INFERNO_VERSION}"
    root = str(CACHE / "inferno")
    subprocess.run(["cargo", "install", version, "--locked", "--quiet", "--root", root], check=True)


def plain_captures() -> Iterator[Path]:
    """Yield captures of perf script text, unpacked."""
    for packed in sorted((DATA / "captures").glob("*.perf-script.zst")):
        plain = CACHE / packed.stem
        if not plain.exists():
            subprocess.run(["zstd", "-d", "--long=27", "-q", packed, "-o", plain], check=True)
        yield plain
        yield repeated(plain)
    if RECORDED.exists():
        yield RECORDED


def repeated(capture: Path) -> Path:
    """Return the capture several times over: a quarter of the time of a short one is a start."""
    long = capture.with_name(f"{TIMES}-times-{capture.name}")
    if not long.exists():
        with long.open("wb") as file:
            for _ in range(TIMES):
                file.write(capture.read_bytes())
    return long


def cases(capture: Path) -> Iterator[Case]:
    """Yield what is measured of one capture."""
    out = CACHE / "out.folded"
    packed = gzipped(capture)
    for threads in ("1", "2"):
        yield Case(
            f"  {threads} thread{'s' * (threads != '1')}, inferno",
            [*FOLD, capture, "--threads", threads, "-o", out],
            [INFERNO, "--nthreads", threads, capture],
            OF_INFERNO,
        )
    yield Case("  gzip, zcat alone", [*FOLD, packed, "-o", out], ["zcat", packed], OF_ZCAT)


def gzipped(capture: Path) -> Path:
    """Return the capture as `gzip` packs it."""
    packed = capture.with_name(f"{capture.name}.gz")
    if not packed.exists():
        with packed.open("wb") as file:
            subprocess.run(["gzip", "-6", "-c", capture], stdout=file, check=True)
    return packed


def report(case: Case, pairs: int) -> str:
    """Run a case in pairs; return its line of the table."""
    measure(case.ours)  # the page cache is filled, and what is broken shows
    runs = [(measure(case.ours), measure(case.theirs)) for _ in range(pairs)]
    ours, theirs = zip(*runs, strict=True)
    ratio = statistics.median(one.seconds / other.seconds for one, other in runs)
    cpu = statistics.median(one.cpu_seconds / other.cpu_seconds for one, other in runs)
    seconds = [statistics.median(run.seconds for run in side) for side in (ours, theirs)]
    peak = [max(run.peak_mib for run in side) for side in (ours, theirs)]
    aim = f"  {case.aim}: {'over' if cpu > case.aim else 'met'}" if case.aim else ""
    return (
        f"{case.name:<36} {seconds[0]:>5.2f} : {seconds[1]:<5.2f} {ratio:>6.2f} {cpu:>6.2f}"
        f" {peak[0]:>5.0f} : {peak[1]:<5.0f}{aim}"
    )


def measure(command: Command) -> Run:
    """Run a command to its end, what it prints to a file."""
    with (CACHE / "stdout").open("wb") as stdout:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=stdout)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    CACHE.mkdir(parents=True, exist_ok=True)
    if not shutil.which("cargo") and not INFERNO.exists():
        sys.exit("make bench compares with inferno, which it builds with cargo: install Rust")
    main(sys.argv[1:])
