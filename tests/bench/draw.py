"""Measure drawing beside flamegraph.pl and inferno: part of `make bench`.

Sizes: our SVG of every graph and diff in the real data beside the project, next to the one that
flamegraph.pl drew of the same stacks. A diff of ours has a lane of frames that flamegraph.pl leaves
out, hence the last two columns: the ratio for as many frames.

Times: 200 graphs next to as many runs of inferno-flamegraph, one after another, which draw the
file alone. So does our first line, in one process. The others add what a build draws besides, the
picture of a page and the card for links, at last in as many processes as a build starts.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from fold import (
    CACHE,
    DATA,
    FOLD,
    INFERNO,
    NODE,
    PROJECT,
    Case,
    Command,
    install_inferno,
    plain_captures,
    report,
)
from perfpress.base.cache import Artifact
from perfpress.base.node.messages.graphs import DiffGraphRequest, DiffRequest
from perfpress.base.node.messages.message import Output, real

CLI = PROJECT / "pipeline" / "flamegraph" / "cli" / "main.js"
INFERNO_FLAMEGRAPH = INFERNO.with_name("inferno-flamegraph")
DRAWN = CACHE / "drawn"
GRAPHS = 200

Drawing = Literal["file", "page", "card"]


def main(arguments: Sequence[str]) -> None:
    """Print the sizes, then the times."""
    parser = argparse.ArgumentParser(description="Measure drawing, in bytes and seconds.")
    parser.add_argument("--pairs", type=int, default=5, help="runs of each side (default: 5)")
    pairs = parser.parse_args(arguments).pairs
    DRAWN.mkdir(parents=True, exist_ok=True)
    published = sorted(DATA.glob("*/*/*/flamegraph.svg.gz"))
    if published:
        print(f"{'SVG, ours : flamegraph.pl':<34} {'frames':>11}   raw   gzip   as many frames")
    else:
        print(f"no SVGs of flamegraph.pl in {DATA}: no sizes")
    for file in published:
        for name, ours, theirs in drawings(file.parent):
            print(sizes(name, ours, theirs), flush=True)
    install_inferno()
    for capture in islice(plain_captures(), 1):
        print(f"{capture.name}, {GRAPHS} graphs, inferno's files alone")
        print(f"{'':<36} {'seconds':>13} {'ratio':>6} {'CPU':>6} {'peak MiB':>13}")
        for case in many_graphs(capture):
            print(report(case, pairs), flush=True)


def drawings(step: Path) -> Iterator[tuple[str, Path, Path]]:
    """Draw a step's graph and its diffs; yield a name, our file and theirs."""
    ours = DRAWN / "ours.svg"
    stacks = step / "stacks.folded.gz"
    name = f"{step.parent.name} {step.name}"
    run([NODE, CLI, "flamegraph", stacks, "-o", ours])
    yield name, ours, step / "flamegraph.svg.gz"
    for theirs in sorted(step.glob("diff-vs-*.svg.gz")):
        base = theirs.name.removeprefix("diff-vs-").removesuffix(".svg.gz")
        draw_diff(step.parents[1] / base / step.name / stacks.name, stacks, ours)
        yield f"{name} against {base}", ours, theirs


def draw_diff(base: Path, after: Path, out: Path) -> None:
    """Draw a diff as a build does: the sides are called by their releases, not by their paths."""
    profiles = [DRAWN / "base.json", DRAWN / "after.json"]
    for stacks, profile in zip((base, after), profiles, strict=True):
        run([*FOLD, stacks, "-o", profile])
    requests = "\n".join(
        json.dumps(real(request, DRAWN))
        for request in (
            DiffRequest(
                base=Artifact(profiles[0], ""),
                after=Artifact(profiles[1], ""),
                out_diff=Output("diff.json"),
                out_findings=Output("findings.json"),
            ),
            DiffGraphRequest(
                diff=Artifact(DRAWN / "diff.json", ""),
                findings=Artifact(DRAWN / "findings.json", ""),
                base_label=base.parts[-3],
                after_label=after.parts[-3],
                title=after.parts[-2],
                out=Output(out.name),
            ),
        )
    )
    answered = subprocess.run(
        [NODE, CLI, "jobs"], input=requests, check=True, capture_output=True, text=True
    )
    if not all(json.loads(answer)["ok"] for answer in answered.stdout.splitlines()):
        sys.exit(answered.stdout)


def sizes(name: str, ours: Path, theirs: Path) -> str:
    """Return the line of a drawing."""
    our_bytes, their_bytes = ours.read_bytes(), gzip.decompress(theirs.read_bytes())
    our_frames, their_frames = frames(our_bytes), their_bytes.count(b"<title>")
    raw = len(our_bytes) / len(their_bytes)
    packed = len(gzip.compress(our_bytes, 9)) / len(gzip.compress(their_bytes, 9))
    alike = their_frames / our_frames
    return (
        f"{name:<34} {our_frames:>5}:{their_frames:<5} {raw:>5.2f}  {packed:>5.2f}"
        f"   {raw * alike:>5.2f}  {packed * alike:>5.2f}"
    )


def frames(svg: bytes) -> int:
    """Count the frames that an SVG of ours draws: each is a thick horizontal line of a path."""
    drawn = svg.split(b'class="data"')[0]
    return sum(path.count(b"h") for path in re.findall(rb' d="([^"]*)"', drawn))


def many_graphs(capture: Path) -> Iterator[Case]:
    """Yield ways to draw many graphs of a capture, each beside inferno's."""
    profile, stacks = DRAWN / f"{capture.name}.json", DRAWN / f"{capture.name}.folded"
    for out in (profile, stacks):
        if not out.exists():
            run([*FOLD, capture, "-o", out])
    one = f"'{INFERNO_FLAMEGRAPH}' '{stacks}' > '{DRAWN}/theirs.svg'"
    theirs: Command = ["sh", "-c", f"for graph in $(seq {GRAPHS}); do {one}; done"]
    processes = os.cpu_count() or 1
    yield Case("  file", jobs_of(profile, ["file"], 1), theirs)
    yield Case("  file and page", jobs_of(profile, ["file", "page"], 1), theirs)
    name = f"  file and page, {processes} processes"
    yield Case(name, jobs_of(profile, ["file", "page"], processes), theirs)
    name = f"  file, page and card, {processes} processes"
    yield Case(name, jobs_of(profile, ["file", "page", "card"], processes), theirs)


def jobs_of(profile: Path, drawings: Sequence[Drawing], processes: int) -> Command:
    """Write requests for many graphs of a profile; return how to have them answered."""
    requests: list[list[str]] = [[] for _ in range(processes)]
    for number in range(GRAPHS):
        made: dict[Drawing, dict[str, object]] = {
            "file": {"out": f"{DRAWN}/{number}.svg"},
            "page": {"inline": {"out": f"{DRAWN}/{number}.inline.svg"}},
            "card": {"card": {"out": f"{DRAWN}/{number}.png", "about": "a graph", "line": "one"}},
        }
        job: dict[str, object] = {
            "id": number,
            "job": "flamegraph",
            "profile": str(profile),
            "title": "drawn",
        }
        for drawing in drawings:
            job.update(made[drawing])
        requests[number % processes].append(json.dumps(job))
    # Over files that are there, renaming waits for the disk; a build writes new ones.
    commands = [f"rm -f '{DRAWN}'/*.svg '{DRAWN}'/*.png"]
    for index, lines in enumerate(requests):
        file = DRAWN / f"jobs-{'-'.join(drawings)}-{index}-of-{processes}"
        file.write_text("\n".join(lines) + "\n")
        commands.append(f"'{NODE}' '{CLI}' jobs < '{file}' & started=\"$started $!\"")
    commands.append("for process in $started; do wait $process || exit 1; done")
    return ["sh", "-c", "\n".join(commands)]


def run(command: Command) -> None:
    """Run a command line of ours."""
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main(sys.argv[1:])
