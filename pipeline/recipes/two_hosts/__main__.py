"""Measures the report on two hosts; see the package for what, how and why."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.host.capture.step import Repeats, StepRequest
from perfpress.input.bundles import schema

from recipes import two_hosts
from recipes.bundles import Turn, make_bundles, measure_step, without_host_counters
from recipes.command_line import argument_parser, check_commands, run_recipe
from recipes.rounds import rounds

REPORT = "two-hosts"
PROGRAM = "sums.py"
RUNS = 3
REPEATS = 5


@dataclass(frozen=True)
class Host:
    """A release, and what it may use of the machine."""

    release: str
    python: str
    cpus: int


def order(hosts: list[Host]) -> Iterator[Host]:
    """Yield all runs; every round begins with the other host."""
    return chain.from_iterable(rounds(hosts, RUNS))


def measured(host: Host, name: str, program: Path, directory: Path) -> schema.Run:
    """Measure a release on its host.

    Raises:
        BadInput: the program failed.
    """
    cpus = sorted(os.sched_getaffinity(0))[-host.cpus :]
    command = ("taskset", "-c", ",".join(map(str, cpus)), host.python, str(program))
    request = StepRequest("sums", "run", command, work="fixed", repeats=Repeats(REPEATS))
    return schema.Run(
        schema=1,
        report=REPORT,
        release=host.release,
        benchmark="sums",
        host=f"{name}-{host.cpus}cpu",
        machine={"cpus": host.cpus},
        steps=(without_host_counters(measure_step(request, directory).step, directory),),
    )


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    parser = argument_parser("two_hosts", two_hosts.__doc__)
    parser.add_argument("releases", nargs=2, metavar="RELEASE=PYTHON", help="on one CPU, on two")
    given = parser.parse_args()
    releases = (each.split("=", 1) for each in given.releases)
    hosts = [Host(name, python, cpus) for cpus, (name, python) in enumerate(releases, start=1)]

    def turn(host: Host, program: Path) -> Turn:
        title = f"{host.release} on {host.cpus} CPU"
        return Turn(title, lambda directory: measured(host, given.host, program, directory))

    def recipe() -> list[Problem]:
        check_commands({"taskset": "util-linux"})
        given.work.mkdir(parents=True, exist_ok=True)
        # Its path is published: the same on every machine.
        program = Path(shutil.copy(Path(__file__).with_name(PROGRAM), given.work.resolve()))
        return make_bundles((turn(host, program) for host in order(hosts)), given.out)

    return run_recipe(recipe, given.out)


if __name__ == "__main__":
    sys.exit(main())
