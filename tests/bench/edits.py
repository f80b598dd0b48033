"""Time what an author waits for after each kind of edit: part of `make bench`.

    python tests/bench/edits.py [REPORT [DIR]]

Builds a copy of DIR, which holds `results`, `corrections` and `content`, with an empty cache; then
edits a report, one edit after another. Prints the clock, CPU time beside that of the full build,
and what was made anew: entries of the cache by stage.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from perfpress.base.checkout import ROOT
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from perfpress.input.report.front_matter import FrontMatter, read_front

REPORT = "postgres-releases"


def main(arguments: list[str]) -> int:
    """Time the edits; return 0."""
    if arguments[:1] == ["--one"]:
        build(request_of(Path(arguments[1])), lambda _: None)
        return 0
    report, *place = arguments or [REPORT]
    above = Path(*place) if place else ROOT / "data"
    folders = [above / "results", above / "corrections"]
    folders.append(above / "content" if place else ROOT / "content")
    with TemporaryDirectory() as name:
        work = Path(name)
        for folder in filter(Path.is_dir, folders):
            shutil.copytree(folder, work / folder.name)
        print("edit                clock s   CPU s  of the full build  made anew")
        whole = timed(work, "all", 0)
        for what, edit in EDITS.items():
            edit(work, report)
            time.sleep(3)  # so that the states of files settle, as they do for an author
            timed(work, what, whole)
    return 0


def timed(work: Path, what: str, whole: float) -> float:
    """Build, print what it took, and return its CPU seconds."""
    known = entries(work)
    before, began = cpu_seconds(), time.monotonic()
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as `perfpress` has it
    subprocess.run([sys.executable, __file__, "--one", work], check=True, env=kept)
    clock, seconds = time.monotonic() - began, cpu_seconds() - before
    anew = Counter(path.parts[0] for path in entries(work) - known)
    made = ", ".join(f"{count} {stage}" for stage, count in sorted(anew.items()))
    share = f"{seconds / whole:.0%}" if whole else ""
    print(f"{what:18}{clock:9.1f}{seconds:8.1f}{share:>19}  {made}", flush=True)
    return seconds


def cpu_seconds() -> float:
    """Return those of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def entries(work: Path) -> set[Path]:
    """Return what the cache holds."""
    cache = request_of(work).cache
    return {path.relative_to(cache) for path in cache.glob("*/*/*") if path.is_dir()}


def request_of(work: Path) -> BuildRequest:
    """Return what to build of a copy."""
    return BuildRequest(
        results=work / "results",
        content=work / "content",
        out=work / "public",
        base_url="https://example.org/",
        processes=os.cpu_count() or 1,
        drafts=True,
        cache=work / "cache",
    )


def substitute(pattern: str, new: str) -> Callable[[Path, str], None]:
    """Return an edit of a report's text."""

    def edit(work: Path, report: str) -> None:
        path = text_of(work, report)
        text = path.read_text()
        changed = re.sub(pattern, new, text, count=1, flags=re.MULTILINE)
        assert changed != text
        path.write_text(changed)

    return edit


def move_base(work: Path, report: str) -> None:
    """Compare with the second release, or with the third where the second is the base."""
    front = front_of(work, report)
    base = next(each.id for each in front.releases[1:] if each.id != front.base)
    substitute(r'^base = ".*"', f'base = "{base}"')(work, report)


def withdraw(work: Path, report: str) -> None:
    """Declare a run of the last release invalid."""
    release = front_of(work, report).releases[-1].id
    run = min((work / "results" / report / release).glob("*/*")).name
    path = work / "corrections" / report / "2026-03-01-disk.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'kind = "invalid"\nrun = "{run}"\nreason = "the disk was full"\n')


def text_of(work: Path, report: str) -> Path:
    """Return where the report's text is."""
    return work / "content" / "reports" / report / "_index.md"


def front_of(work: Path, report: str) -> FrontMatter:
    """Return what the report's author decided."""
    return read_front(text_of(work, report), report)[0].matter


EDITS: dict[str, Callable[[Path, str], None]] = {
    "a sentence": substitute(r"\Z", "\nOne sentence more.\n"),
    "the title": substitute(r'^title = "', 'title = "Again: '),
    "a label": substitute(
        r'^(\[\[releases\]\]\nid = ".*")(\nlabel = ".*")?', r'\1\nlabel = "another"'
    ),
    "the base": move_base,
    "a correction": withdraw,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
