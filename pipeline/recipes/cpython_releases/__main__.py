"""Measures the report on CPython; see the package for what, how and why."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from perfpress.base.problems import BadInput, Problem
from perfpress.host.capture.machine import machine_facts, tool_versions

from recipes import cpython_releases
from recipes.command_line import argument_parser, check_commands, run_recipe
from recipes.rounds import rounds

REPORT = "cpython-releases"
HERE = Path(__file__).parent
BENCHMARKS = "benchmarks.py"
MAP = HERE / "archive.toml"
PINNED = ("pyperf==2.7.0", "psutil==7.2.2")
NEEDED = {"perf": "linux-perf", "valgrind": "valgrind"}
ROUNDS = 10
PYPERF = ("--processes=2", "--values=3", "--warmups=1", "--loops=8", "--quiet")
COUNTED = ("calls", "attributes", "floats", "generators", "exceptions", "comprehensions", "regex")
FEW, MANY = 10, 20
"""Calls of the two processes whose instructions are subtracted."""
PROFILED = ("calls", "attributes")
PROFILE = (
    *("--profile", "--command", "--separate-run", "--call-graph=dwarf,32768"),
    *("--frequency=199", "--captures=6", "--for=3s", "--every=5s"),
)
PROFILED_SECONDS = 35
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
INSTRUCTIONS = re.compile(r"I +refs: +([\d,]+)")


def run(*command: object) -> str:
    """Run a command; return what it prints on stderr.

    Raises:
        BadInput: it fails.
    """
    words = [str(word) for word in command]
    print("+", *words, file=sys.stderr, flush=True)
    done = subprocess.run(words, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip()[-300:]
        raise BadInput(
            Problem(path=words[0], found=last, expected="success", do=f"run {' '.join(words)}")
        )
    return done.stderr


def environment(release: str, python: str, work: Path) -> Path:
    """Return the Python of an environment that has pyperf, and make it if need be."""
    directory = work / "environments" / release
    if not (directory / "ready").exists():
        run(python, "-m", "venv", directory)
        run(directory / "bin/pip", "install", "--only-binary=:all:", *PINNED)
        (directory / "ready").touch()
    return directory / "bin/python"


def counted(python: Path, program: Path) -> str:
    """Return the instructions of one call of each benchmark, as a CSV."""
    rows = ["benchmark,metric,value,unit"]
    for benchmark in COUNTED:
        few, many = (
            _instructions(python, program, benchmark, "--calls", count) for count in (FEW, MANY)
        )
        each = (many - few) / (MANY - FEW)
        rows.append(f"{benchmark},executed_instructions,{each:.0f},instructions")
    start = _instructions(python, "-I", "-c", "pass")
    rows.append(f"startup,executed_instructions,{start},instructions")
    return "\n".join([*rows, ""])


def _instructions(*command: object) -> int:
    # Sets and dictionaries are in the same order in every process.
    counts = INSTRUCTIONS.search(run("env", "PYTHONHASHSEED=0", *VALGRIND, *command))
    assert counts, "valgrind ends with its counts"
    return int(counts[1].replace(",", ""))


def measure(pythons: dict[str, Path], program: Path, archive: Path) -> None:
    """Fill the archive with files of pyperf, and with counts."""
    for number, releases in enumerate(rounds(list(pythons), ROUNDS), start=1):
        for release in releases:
            file = archive / f"round-{number}" / release / "pyperf.json"
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                run(pythons[release], program, *PYPERF, "-o", file)
    for release, python in pythons.items():
        file = archive / "counts" / release / "instructions.csv"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(counted(python, program), "utf-8")


def perfpress(*words: object) -> None:
    """Run a verb of perfpress."""
    run(sys.executable, "-m", "perfpress", *words)


def write_map(file: Path) -> None:
    """Write what names in the archive mean, with the facts about this machine."""
    tools = {each.partition("==")[0]: each.partition("==")[2] for each in PINNED}
    sections: dict[str, Mapping[str, str | int | bool]] = {
        "machine": machine_facts(),
        "tools": {**tools, **tool_versions(("valgrind",))},
    }
    rows = [MAP.read_text("utf-8")]
    for section, facts in sections.items():
        rows.append(f"[{section}]")
        rows += [f"{key} = {json.dumps(fact)}" for key, fact in facts.items()]
    file.write_text("\n".join([*rows, ""]), "utf-8")


def record(release: str, command: tuple[Path, Path], directory: Path, host: str) -> None:
    """Make a bundle with the profiles of a release."""
    for step in PROFILED:
        perfpress(
            *("capture", "--report", REPORT, "--release", release, "--host", host),
            *("--benchmark", "pyperf", "--step", step, "--operation", "call", "--out", directory),
            *PROFILE,
            *("--", *command, step, "--seconds", PROFILED_SECONDS),
        )


def recipe(releases: dict[str, str], work: Path, out: Path, host: str) -> list[Problem]:
    """Measure all releases, and place the bundles.

    Raises:
        BadInput: a command failed.
    """
    check_commands(NEEDED)
    work.mkdir(parents=True, exist_ok=True)
    pythons = {name: environment(name, python, work) for name, python in releases.items()}
    archive = work / "archive"
    # Its path is published: the same on every machine.
    program = Path(shutil.copy(HERE / BENCHMARKS, work))
    measure(pythons, program, archive)
    for release, python in pythons.items():
        directory = work / "profiles" / release
        if not directory.exists():
            record(release, (python, program), directory, host)
    write_map(work / MAP.name)
    perfpress("import", "logs", archive, "--map", work / MAP.name, "--host", host, "--out", out)
    perfpress("add", *(work / "profiles" / release for release in releases), "--results", out)
    return []


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    parser = argument_parser("cpython_releases", cpython_releases.__doc__)
    parser.add_argument("releases", nargs="+", metavar="RELEASE=PYTHON", help="what is measured")
    given = parser.parse_args()
    releases = dict(each.split("=", 1) for each in given.releases)
    return run_recipe(
        lambda: recipe(releases, given.work.resolve(), given.out, given.host), given.out
    )


if __name__ == "__main__":
    sys.exit(main())
