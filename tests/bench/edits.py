"""Time what an author waits for after each kind of edit: part of `make bench`.

    python tests/bench/edits.py [REPORT [DIR]] [--alone] [--times 3]

Builds a copy of DIR, which holds `results`, `corrections` and `content`, with an empty cache; then
edits one of the reports: each edit a few times, with others between. Prints medians: the clock, and
CPU time of all processes beside that of the full build; and what was made anew the first time:
pages and files of the site, and entries of the cache by stage.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from copied_site import request_of
from perfpress.base.checkout import ROOT
from perfpress.build.stages import build
from perfpress.input.report.front_matter import FrontMatter, read_front

REPORT = "postgres-releases"
SETTLED = 3
"""Seconds after which the states of files have settled, as they have for an author."""


class Build(NamedTuple):
    """What one build took, and made."""

    clock: float
    seconds: float
    """Of CPU time."""
    made: str


def main(arguments: list[str]) -> int:
    """Time the edits; return 0."""
    if arguments[:1] == ["--one"]:
        build(request_of(Path(arguments[1])), lambda _: None)
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", nargs="?", default=REPORT)
    parser.add_argument("directory", nargs="?", type=Path)
    parser.add_argument("--alone", action="store_true", help="a site of this report only")
    parser.add_argument("--times", type=int, default=3)
    wanted = parser.parse_args(arguments)
    with TemporaryDirectory() as name:
        work = Path(name)
        copy(wanted.directory, work, wanted.report if wanted.alone else "*")
        print("edit                clock s   CPU s  of the full build  made anew")
        whole = timed(work)
        show("all", [whole], whole)
        found: dict[str, list[Build]] = {what: [] for what in EDITS}
        for _ in range(wanted.times):
            for what, edit in EDITS.items():
                edit(work, wanted.report)
                time.sleep(SETTLED)
                found[what].append(timed(work))
        for what, builds in found.items():
            show(what, builds, whole)
    return 0


def copy(directory: Path | None, work: Path, report: str) -> None:
    """Copy the inputs of a report, or of all: `*`."""
    above = directory or ROOT / "data"
    content = (directory or ROOT) / "content"
    for pattern in ("results", "corrections"):
        for folder in filter(Path.is_dir, (above / pattern).glob(report)):
            shutil.copytree(folder, work / pattern / folder.name)
    others = {path.name for path in (content / "reports").iterdir() if path.is_dir()} - {report}
    left_out = shutil.ignore_patterns(*(others if report != "*" else ()))
    shutil.copytree(content, work / "content", ignore=left_out)


def timed(work: Path) -> Build:
    """Build, and return what that took."""
    known, files = entries(work), written(work)
    before, began = cpu_seconds(), time.monotonic()
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as `perfpress` has it
    subprocess.run([sys.executable, __file__, "--one", work], check=True, env=kept)
    clock, seconds = time.monotonic() - began, cpu_seconds() - before
    new = [path for path, state in written(work).items() if files.get(path) != state]
    pages = sum(path.name == "index.html" for path in new)
    anew = Counter(path.parts[0] for path in entries(work) - known)
    stages = (f"{count} {stage}" for stage, count in sorted(anew.items()))
    return Build(clock, seconds, ", ".join((f"{pages} pages of {len(new)} files", *stages)))


def show(what: str, builds: list[Build], whole: Build) -> None:
    """Print a line."""
    clock = median(each.clock for each in builds)
    seconds = median(each.seconds for each in builds)
    share = f"{seconds / whole.seconds:.1%}"
    print(f"{what:18}{clock:9.1f}{seconds:8.1f}{share:>19}  {builds[0].made}", flush=True)


def cpu_seconds() -> float:
    """Return those of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def entries(work: Path) -> set[Path]:
    """Return what the cache holds."""
    cache = request_of(work).cache
    return {path.relative_to(cache) for path in cache.glob("*/*/*") if path.is_dir()}


def written(work: Path) -> dict[Path, int]:
    """Return when each file of the site was written."""
    files = (path for path in request_of(work).out.rglob("*") if path.is_file())
    return {path: path.stat().st_mtime_ns for path in files}


def substitute(pattern: str, new: str) -> Callable[[Path, str], None]:
    """Return an edit of a report's text."""

    def edit(work: Path, report: str) -> None:
        path = text_of(work, report)
        text = path.read_text()
        changed = re.sub(pattern, new, text, count=1, flags=re.MULTILINE)
        assert changed != text
        path.write_text(changed)

    return edit


def label(work: Path, report: str) -> None:
    """Give the first release another label."""
    first = front_of(work, report).releases[0]
    new = f"{first.label or first.id}'"
    pattern = r'^(\[\[releases\]\]\nid = ".*")(\nlabel = ".*")?'
    substitute(pattern, rf'\1\nlabel = "{new}"')(work, report)


def move_base(work: Path, report: str) -> None:
    """Compare with the release after the base, or with the first where the base is the last."""
    front = front_of(work, report)
    releases = [each.id for each in front.releases if is_measured(work, report, each.id)]
    base = releases[(releases.index(front.base or releases[0]) + 1) % len(releases)]
    substitute(r'^base = ".*"', f'base = "{base}"')(work, report)


def withdraw(work: Path, report: str, one_step: bool = False) -> None:
    """Declare a run of the newest releases invalid, or a step of it; another one each time."""
    runs = [
        run
        for release in reversed(front_of(work, report).releases)
        for run in sorted((work / "results" / report / release.id).glob("*/*"))
    ]
    folder = work / "corrections" / report
    folder.mkdir(parents=True, exist_ok=True)
    number = len([*folder.glob("2026-03-01-*")])
    run = runs[number]
    lines = ['kind = "invalid"', f'run = "{run.name}"', 'reason = "the disk was full"']
    if one_step:
        steps = tomllib.loads((run / "run.toml").read_text())["step"]
        lines.append(f'step = "{steps[0]["name"]}"')
    (folder / f"2026-03-01-disk-{number}.toml").write_text("\n".join((*lines, "")))


def is_measured(work: Path, report: str, release: str) -> bool:
    """Return whether a release has runs."""
    return (work / "results" / report / release).is_dir()


def text_of(work: Path, report: str) -> Path:
    """Return where the report's text is."""
    return work / "content" / "reports" / report / "_index.md"


def front_of(work: Path, report: str) -> FrontMatter:
    """Return what the report's author decided."""
    return read_front(text_of(work, report), report)[0].matter


EDITS: dict[str, Callable[[Path, str], None]] = {
    "nothing": lambda *_: None,
    "a sentence": substitute(r"\Z", "\nOne sentence more.\n"),
    "the title": substitute(r'^title = "', 'title = "Again: '),
    "a label": label,
    "the base": move_base,
    "a correction": withdraw,
    "that of a step": lambda work, report: withdraw(work, report, one_step=True),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
