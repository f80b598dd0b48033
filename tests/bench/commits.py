"""Measure commits of Perfpress itself: part of `make bench`, and what CI runs on main.

    python tests/bench/commits.py --out DIR                    the commit that is checked out
    python tests/bench/commits.py --out DIR --rounds 3 COMMIT…  others, in turns

Every commit does the same work on the same input, made of results in this checkout: fold a capture,
draw a flame graph, draw a diff, build a site. Commands are timed, and the bytes that they write are
counted. Each commit and round is a bundle of the report `perfpress`. Old commits run with the
packages that are installed now; what one cannot do with them is reported and left out.
"""

import argparse
import gzip
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import msgspec
from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.base.slugs import slug
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.step import Repeats, StepRequest
from perfpress.input.bundles import schema
from recipes.bundles import Turn, make_bundles, measure_step, without_host_counters
from recipes.command_line import run_recipe
from recipes.rounds import rounds

PROJECT = Path(__file__).parents[2]
RESULTS = PROJECT / "data" / "results"
WORK = Path("tests/bench/.cache/commits")
"""Below the checkout, where a command that is published names no place of this machine."""
FILES = (
    *("pipeline", "layouts", "assets", "static", "content"),
    *("hugo.toml", "package.json", "pyproject.toml"),
)
"""What a build of a commit needs of it."""
SAMPLES = 40_000
REPEATS = {"fold": 3, "flame graph": 3, "diff": 3, "site": 1}


@dataclass(frozen=True)
class Commit:
    """One state of the program."""

    number: int
    """How many commits lead to it: what sorts releases."""
    hash: str
    checkout: Path

    @property
    def release(self) -> str:
        """Its name in the report."""
        return f"{self.number:05}-{self.hash}"


@dataclass(frozen=True)
class Work:
    """What every commit does."""

    step: str
    operation: str
    words: tuple[str, ...]
    """Of `perfpress`, in a checkout."""
    output: str
    """What it writes: a file or a directory."""


WORKS = (
    Work("fold", "fold", ("fold", "../capture.perf-script", "-o", "out.folded"), "out.folded"),
    Work(
        *("flame graph", "drawing"),
        ("flamegraph", "../18.folded.gz", "-o", "out.svg"),
        "out.svg",
    ),
    Work(
        *("diff", "diff"),
        ("diff", "../12.folded.gz", "../18.folded.gz", "-o", "out.svg"),
        "out.svg",
    ),
    Work(
        *("site", "build"),
        (
            *("build", "--results", "../results", "--content", "../content"),
            *("--out", "out", "--base-url", "https://example.org/"),
        ),
        "out",
    ),
)


def prepare() -> None:
    """Make the input, the same for all commits: captures and results of the example report."""
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "content").mkdir(parents=True)
    for run in (_runs("12")[1], *_runs("18")):
        shutil.copytree(run, WORK / "results" / run.relative_to(RESULTS))
    for release in ("12", "18"):
        shutil.copy(_stacks(release), WORK / f"{release}.folded.gz")
    with (WORK / "capture.perf-script").open("w") as file:
        file.writelines(_perf_script(gzip.decompress(_stacks("18").read_bytes()).decode()))


def _runs(release: str) -> list[Path]:
    """Return the run that was made for its profile, and the first of the others."""
    runs = sorted(RESULTS.glob(f"postgres-releases/{release}/*/*"))
    profiled = [run for run in runs if list(run.rglob("*.folded.gz"))]
    return [profiled[0], next(run for run in runs if run not in profiled)]


def _stacks(release: str) -> Path:
    return sorted(_runs(release)[0].glob("update/*.folded.gz"))[0]


def _perf_script(folded: str) -> Iterator[str]:
    """Yield samples as `perf script` prints them, of folded stacks over and over."""
    for number, line in enumerate(islice(cycle(folded.splitlines()), SAMPLES)):
        thread, *frames = line.rpartition(" ")[0].split(";")
        yield f"{thread} 100/100 [000] {number / 1000:.6f}: 1000000 cpu-clock:\n"
        for frame in reversed(frames):
            yield f"\t    5500 {frame}+0x10 (postgres)\n"
        yield "\n"


def check_out(name: str) -> Commit:
    """Return a commit with its files, which find the packages that are installed here."""
    commit = _git("rev-parse", "--short=8", name)
    checkout = WORK / commit
    checkout.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit, "--", *FILES], check=True, capture_output=True
    )
    subprocess.run(["tar", "-x"], cwd=checkout, input=archive.stdout, check=True)
    (checkout / "data").mkdir()
    (checkout / ".venv").symlink_to(PROJECT / ".venv")
    # Hugo lets Node read nothing outside the project: no link to a directory there.
    node = PROJECT / "node_modules"
    shutil.copytree(node, checkout / node.name, symlinks=True, copy_function=os.link)
    return Commit(int(_git("rev-list", "--count", commit)), commit, checkout)


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=PROJECT, check=True, capture_output=True, text=True
    ).stdout.strip()


def measured(commit: Commit, host: str, directory: Path) -> schema.Run:
    """Measure one commit into a directory.

    Raises:
        BadInput: it can do nothing of the work.
    """
    steps: list[schema.Step] = []
    problems: list[Problem] = []
    for work in WORKS:
        try:
            steps.append(_step(work, commit, directory))
        except BadInput as failure:
            shutil.rmtree(directory / slug(work.step))
            problems += failure.problems
    print_problems(problems)
    if not steps:
        raise BadInput(*problems)
    return schema.Run(
        schema=1,
        report="perfpress",
        release=commit.release,
        benchmark="perfpress",
        host=host,
        tools={"python": sys.version.split()[0], **tool_versions(("node",))},
        steps=tuple(steps),
    )


def _step(work: Work, commit: Commit, directory: Path) -> schema.Step:
    output = commit.checkout / work.output
    # A build finds nothing that an earlier one has computed. Its progress is no log of numbers.
    script = (
        f"cd {commit.checkout} && rm -rf {work.output} data/.cache data/site && "
        f'env PYTHONPATH=pipeline:. PATH="$PWD/.venv/bin:$PWD/node_modules/.bin:$PATH" '
        f"python -m {_package(commit)} {' '.join(work.words)} > printed.txt 2>&1"
        " || { tail -n 1 printed.txt; exit 1; }"
    )
    request = StepRequest(
        *(work.step, work.operation, ("sh", "-c", script)),
        work="fixed",
        repeats=Repeats(REPEATS[work.step]),
    )
    step = without_host_counters(measure_step(request, directory).step, directory)
    files = [output] if output.is_file() else filter(Path.is_file, output.rglob("*"))
    size = sum(file.stat().st_size for file in files)
    metrics = {"output_bytes": schema.Metric(value=size, unit="B")}
    return msgspec.structs.replace(step, metrics=metrics)


def _package(commit: Commit) -> str:
    """Return what the Python package is called: `pipeline` until it became installable."""
    is_installable = (commit.checkout / "pipeline" / "perfpress").exists()
    return "perfpress" if is_installable else "pipeline"


def main() -> int:
    """Measure commits; return 1 where one can do nothing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("commits", nargs="*", default=["HEAD"], metavar="COMMIT", help="default: HEAD")
    add("--out", type=Path, required=True, metavar="DIR", help="where the bundles go")
    add("--rounds", type=int, default=1, metavar="N", help="runs of each (default: 1)")
    add("--host", default=socket.gethostname(), metavar="NAME", help="what to call this machine")
    given = parser.parse_args()
    out = given.out.resolve()
    os.chdir(PROJECT)
    prepare()
    commits = [check_out(name) for name in given.commits]

    def turn(commit: Commit) -> Turn:
        return Turn(commit.release, lambda directory: measured(commit, given.host, directory))

    turns = (turn(commit) for each in rounds(commits, given.rounds) for commit in each)
    status = run_recipe(lambda: make_bundles(turns, out), out)
    shutil.rmtree(WORK)
    return status


if __name__ == "__main__":
    sys.exit(main())
