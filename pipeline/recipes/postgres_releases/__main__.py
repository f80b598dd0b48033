"""Measures the example report; see the package for what, how and why."""

import argparse
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.build.progress import Progress
from perfpress.host.capture import bundle_writer
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.processes import pids_by_command_line
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import postgres_releases
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import found_folder, profiling, sample_buffer
from recipes.command_line import argument_parser, check_commands, run_recipe
from recipes.postgres_releases import plan
from recipes.postgres_releases.artifacts import ARTIFACTS, Artifact, install
from recipes.postgres_releases.plan import WORKLOADS, Plan, Workload, pgbench_command, turns
from recipes.postgres_releases.server import (
    DATABASE,
    FILES,
    SUPERUSER,
    Host,
    prepare,
    running_on_copy,
)

REPORT = "postgres-releases"
CONFIG = "cached"
PAUSE_SECONDS = 1.0
"""Between two captures; perf takes a moment to begin and to end."""

CALL_GRAPH = "dwarf,32768"
"""Each sample has 32 KiB of the stack: pruning a page puts arrays of 20 KiB on it."""

NEEDED = {"pgbench": "postgresql-15", "psql": "postgresql-client-15", "taskset": "util-linux"}
"""Commands that the recipe cannot do without, and the Debian packages they are in."""


class Recipe:
    """One call of this program."""

    def __init__(self, plan: Plan, out: Path, work: Path, host_name: str) -> None:
        self.plan = plan
        self.out = out
        self.work = work
        self.host_name = host_name
        self.progress = Progress()
        self.folder = found_folder()
        self.host = Host.create(work / "data", cpu=max(os.sched_getaffinity(0)))
        self.scripts = work / "steps"

    def run(self) -> list[Problem]:
        """Prepare all releases, measure them turn by turn, return what went wrong with single runs.

        A run that failed leaves no bundle, and the others go on.

        Raises:
            BadInput: a server cannot be fetched or prepared.
        """
        self._copy_scripts()
        for artifact in ARTIFACTS:
            self.progress.show(f"preparing PostgreSQL {artifact.version}")
            install(artifact, self.work / "downloads", self.work / "servers")
            prepare(self.host, self._server(artifact), self._data(artifact))
        return make_bundles(map(self._turn, turns(self.plan)), self.out)

    def _turn(self, turn: plan.Turn) -> Turn:
        kind = "profiling" if turn.profiled else "measuring"
        title = f"{kind} PostgreSQL {turn.artifact.release}"
        return Turn(title, lambda directory: self._measure(turn, directory))

    def _copy_scripts(self) -> None:
        """Copy the steps to where their path is the same on every machine: it is published."""
        self.scripts.mkdir(exist_ok=True)
        for workload in WORKLOADS:
            if workload.is_file:
                shutil.copyfile(FILES / workload.script, self.scripts / workload.script)

    def _server(self, artifact: Artifact) -> Path:
        return self.work / "servers" / artifact.release

    def _data(self, artifact: Artifact) -> Path:
        return self.host.directory / f"prepared-{artifact.release}"

    def _measure(self, turn: plan.Turn, directory: Path) -> schema.Run:
        """Measure one run into a directory.

        Raises:
            BadInput: a step failed.
        """
        with running_on_copy(self.host, self._server(turn.artifact), self._data(turn.artifact)):
            return schema.Run(
                schema=1,
                report=REPORT,
                release=turn.artifact.release,
                benchmark="pgbench",
                host=self.host_name,
                config=CONFIG,
                clients=1,
                attachments=bundle_writer.attach(self._attachments(), directory),
                tools=self._tools(turn.artifact),
                steps=tuple(self._step(workload, turn, directory) for workload in WORKLOADS),
            )

    def _step(self, workload: Workload, turn: plan.Turn, directory: Path) -> schema.Step:
        connection = ("-h", str(self.host.directory), "-U", SUPERUSER, DATABASE)
        command = pgbench_command(
            workload, turn, self.plan, self.scripts, connection, self.host.cpu
        )
        wanted = self._profiling(workload, turn) if turn.profiled else None
        request = StepRequest(
            workload.step, workload.operation, command, log="pgbench.txt", profiling=wanted
        )
        return measure_step(request, directory).step

    def _profiling(self, workload: Workload, turn: plan.Turn) -> Profiling:
        sampling = self.plan.sampling
        if (workload, turn.artifact) != (WORKLOADS[0], ARTIFACTS[-1]):
            sampling = replace(sampling, raw=0)
        # What PostgreSQL calls the one process that serves pgbench.
        title = f"postgres: {SUPERUSER} {DATABASE} [local]"
        return profiling(sampling, self.folder, lambda _: pids_by_command_line(title))

    def _attachments(self) -> list[Path]:
        """Return what else explains the figures: the settings, as written and as in force."""
        settings = self.work / "settings.txt"
        settings.write_text(
            self.host.psql(
                *("-A", "-t", "-F", " = ", "-c"),
                'SELECT name, current_setting(name) FROM pg_settings ORDER BY name COLLATE "C"',
            ),
            encoding="utf-8",
        )
        return [settings, FILES / "postgresql.conf", *sorted(self.scripts.glob("*.sql"))]

    def _tools(self, artifact: Artifact) -> dict[str, str]:
        version = self.host.psql("-A", "-t", "-c", "SELECT version()").strip()
        return {
            "postgres": version,
            "postgres_artifact": f"{artifact.download.file_name} sha256 {artifact.sha256}",
            **tool_versions(("pgbench", "perf")),
        }


def arguments() -> argparse.Namespace:
    """Return the arguments of this program."""
    parser = argument_parser("postgres_releases", postgres_releases.__doc__)
    add = parser.add_argument
    add("--repeats", type=int, default=6, metavar="N", help="runs of each release (default: 6)")
    add("--seconds", type=int, default=10, metavar="S", help="of each step (default: 10)")
    add("--captures", type=int, default=6, metavar="N", help="of each step (default: 6)")
    add("--for", type=float, default=3.0, metavar="S", dest="length", help="a capture (default: 3)")
    add("--frequency", type=int, default=499, metavar="HZ", help="of samples (default: 499)")
    return parser.parse_args()


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    given = arguments()
    sampling = Sampling(
        frequency=given.frequency,
        call_graph=CALL_GRAPH,
        buffer=sample_buffer(),
        captures=given.captures,
        seconds=given.length,
        every=given.length + PAUSE_SECONDS,
        raw=1,
    )
    what = Plan(given.repeats, given.seconds, sampling)

    def recipe() -> list[Problem]:
        check_commands(NEEDED)
        return Recipe(what, given.out, given.work.resolve(), given.host).run()

    return run_recipe(recipe, given.out)


if __name__ == "__main__":
    sys.exit(main())
