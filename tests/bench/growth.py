"""Build sites of ever more releases, and one run more of each: part of `make bench`.

    python tests/bench/growth.py 25 50 100

Prints time, memory and bytes, and which budgets they are above; returns 1 where there is one.
Logs alone, 40 steps, two runs a release.
"""

import gzip
import os
import re
import resource
import subprocess
import sys
import time
from heapq import nlargest
from pathlib import Path
from tempfile import TemporaryDirectory

from copied_site import request_of
from large_site import write_bundle
from perfpress.build.stages import Built, build

RELEASES = (25, 50, 100)
STEPS, RUNS = 40, 2

BYTES_A_CELL = 15_000
BYTES_ALIKE = 12_000_000
"""Of pages and files whose number does not grow with the releases: those of all steps, docs."""
BYTES_OF_PAGE = 60_000
"""Of any page, compressed: it loads 40 kB besides, and 100 kB in all is the budget of a page."""
ELEMENTS_OF_PAGE = 8_000
"""Of any page: a phone takes a second for twice as many."""
MEMORY = 500
"""MiB of Python, and of each process that it starts: Hugo is the largest."""


def main(arguments: list[str]) -> int:
    """Return 1 where a site takes more than it may."""
    if arguments[:1] == ["--one"]:
        return _measure(int(arguments[1]))
    print(
        "releases  build    CPU s  clock s  Python MiB  others MiB  pages' MB  kB a cell  "
        "kB a page  elements  files written"
    )
    worst = 0
    for releases in map(int, arguments or RELEASES):
        command = [sys.executable, __file__, "--one", str(releases)]
        worst |= subprocess.run(command, check=False).returncode
    return worst


def _measure(releases: int) -> int:
    """Print a full build, and one after one more run, each in numbers of its own process."""
    with TemporaryDirectory() as name:
        work = Path(name)
        (work / "content").mkdir()
        for release in range(releases):
            for run in range(RUNS):
                write_bundle(work / "results", release, run, STEPS)
        before: dict[Path, int] = {}
        worst = 0
        for what, bundle in (("all", None), ("one more", (releases - 1, RUNS))):
            if bundle:
                write_bundle(work / "results", *bundle, STEPS)
            child = os.fork()
            if not child:
                os._exit(_build(work, what, releases, before))
            worst |= os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            before = _written(request_of(work).out)
    return worst


def _build(work: Path, what: str, releases: int, before: dict[Path, int]) -> int:
    start = time.perf_counter()
    built = build(request_of(work), lambda _: None)
    clock = time.perf_counter() - start
    own, others = (
        resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    seconds = sum(each.ru_utime + each.ru_stime for each in (own, others))
    python, largest = own.ru_maxrss / 1024, others.ru_maxrss / 1024
    size, cells = _bytes(built), releases * STEPS
    page, elements = _largest_page(request_of(work).out)
    after = _written(request_of(work).out)
    changed = sum(before.get(path) != state for path, state in after.items())
    print(
        f"{releases:8}  {what:8}{seconds:6.1f}{clock:9.1f}{python:12.0f}{largest:12.0f}"
        f"{size / 1e6:11.1f}{size / cells / 1000:11.1f}{page / 1000:11.1f}{elements:10}"
        f"{changed:9} of {len(after)}",
        flush=True,
    )
    budgets = (
        ("bytes of the site", size, cells * BYTES_A_CELL + BYTES_ALIKE),
        ("bytes of the largest page, compressed", page, BYTES_OF_PAGE),
        ("elements of the largest page", elements, ELEMENTS_OF_PAGE),
        ("MiB of memory", max(python, largest), MEMORY),
    )
    over = [
        f"over its budget: {found:,.0f} {what}, at most {most:,}"
        for what, found, most in budgets
        if found > most
    ]
    print("\n".join(over or ["within its budgets"]), flush=True)
    return bool(over)


def _bytes(built: Built) -> int:
    return sum(each.bytes for each in built.sizes)


def _largest_page(site: Path) -> tuple[int, int]:
    """Return the most bytes of a page, compressed, and the most elements."""
    largest = nlargest(20, site.rglob("*.html"), lambda each: each.stat().st_size)
    pages = [each.read_bytes() for each in largest]
    size = max(len(gzip.compress(each, 6)) for each in pages)
    return size, max(len(re.findall(rb"<[a-z]", each)) for each in pages)


def _written(site: Path) -> dict[Path, int]:
    """Return when each file was written."""
    return {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
