"""Measures the example report; see the package for what, how and why."""

import argparse
import os
import shutil
import socket
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.build.progress import Progress
from perfpress.host.capture import bundle_writer, interruption
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.folding import Folder
from perfpress.host.capture.machine import machine_facts, tool_versions
from perfpress.host.capture.perf import available_events
from perfpress.host.capture.processes import pids_by_command_line
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import MeasuredStep, StepRequest, measure
from perfpress.input.bundles import schema
from perfpress.input.bundles.discover import ADDING

from recipes import postgres_releases
from recipes.postgres_releases.artifacts import ARTIFACTS, Artifact, install
from recipes.postgres_releases.plan import WORKLOADS, Plan, Turn, Workload, pgbench_command, turns
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

ROOT_BUFFER = "16M"
"""Holds a second of such samples, so that none is lost while perf waits for a CPU."""

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
        self.events = available_events(plan.sampling.events, ())
        self.folder = Folder.find()
        self.host = Host.create(work / "data", cpu=max(os.sched_getaffinity(0)))
        self.scripts = work / "steps"

    def run(self) -> list[Problem]:
        """Prepare all releases, measure them turn by turn, return what went wrong with single runs.

        A run that failed leaves no bundle, and the others go on.

        Raises:
            BadInput: a server cannot be fetched or prepared.
        """
        self.out.mkdir(parents=True, exist_ok=True)
        self._copy_scripts()
        for artifact in ARTIFACTS:
            self.progress.show(f"preparing PostgreSQL {artifact.version}")
            install(artifact, self.work / "downloads", self.work / "servers")
            prepare(self.host, self._server(artifact), self._data(artifact))
        order = list(turns(self.plan))
        problems: list[Problem] = []
        for number, turn in enumerate(order, start=1):
            kind = "profiling" if turn.profiled else "measuring"
            release = turn.artifact.version
            self.progress.show(f"{kind} PostgreSQL {release}, run {number} of {len(order)}")
            try:
                print(self._measure(turn, problems), flush=True)
            except BadInput as failure:
                problems += failure.problems
        self.progress.end()
        return problems

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

    def _measure(self, turn: Turn, problems: list[Problem]) -> Path:
        """Make one run, write its bundle, return where it is; add what is odd to `problems`.

        Raises:
            BadInput: a step failed.
        """
        with tempfile.TemporaryDirectory(dir=self.out, prefix=ADDING) as temporary:
            directory = Path(temporary) / "run"
            directory.mkdir()
            started = datetime.now(UTC).replace(microsecond=0)
            with running_on_copy(self.host, self._server(turn.artifact), self._data(turn.artifact)):
                attachments = bundle_writer.attach(self._attachments(), directory)
                tools = self._tools(turn.artifact)
                measured = [self._step(workload, turn, directory) for workload in WORKLOADS]
            problems += [problem for one in measured for problem in one.problems]
            run = schema.Run(
                schema=1,
                report=REPORT,
                release=turn.artifact.release,
                benchmark="pgbench",
                host=self.host_name,
                config=CONFIG,
                clients=1,
                started=started,
                attachments=attachments,
                machine=dict(machine_facts()),
                tools=tools,
                steps=tuple(one.step for one in measured),
            )
            bundle_writer.write_bundle(run, directory)
            return bundle_writer.place_bundle(directory, self.out)

    def _step(self, workload: Workload, turn: Turn, directory: Path) -> MeasuredStep:
        connection = ("-h", str(self.host.directory), "-U", SUPERUSER, DATABASE)
        command = pgbench_command(
            workload, turn, self.plan, self.scripts, connection, self.host.cpu
        )
        profiling = self._profiling(workload, turn) if turn.profiled else None
        request = StepRequest(
            workload.step, workload.operation, command, log="pgbench.txt", profiling=profiling
        )
        with interruption.noted() as asked_to_stop:
            measured = measure(request, directory, asked_to_stop)
        if asked_to_stop.signal is not None:
            raise KeyboardInterrupt
        if any(problem.severity == "error" for problem in measured.problems):
            raise BadInput(*measured.problems)
        return measured

    def _profiling(self, workload: Workload, turn: Turn) -> Profiling:
        sampling = self.plan.sampling
        if (workload, turn.artifact) != (WORKLOADS[0], ARTIFACTS[-1]):
            sampling = replace(sampling, raw=0)
        return Profiling(
            replace(sampling, events=self.events),
            self.folder,
            # What PostgreSQL calls the one process that serves pgbench.
            find_pids=lambda _: pids_by_command_line(f"postgres: {SUPERUSER} {DATABASE} [local]"),
            separate_run=True,
        )

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
            "postgres_artifact": f"{artifact.file_name} sha256 {artifact.sha256}",
            **tool_versions(("pgbench", "perf")),
        }


def check_commands() -> None:
    """Check that all commands are there.

    Raises:
        BadInput: some are not installed.
    """
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        packages = " ".join(sorted({NEEDED[name] for name in missing}))
        raise BadInput(
            Problem(
                path=", ".join(missing),
                found="not installed",
                expected="the load generator and its tools",
                do=f"apt-get install {packages}",
            )
        )


def arguments() -> argparse.Namespace:
    """Return the arguments of this program."""
    parser = argparse.ArgumentParser(
        prog="python -m recipes.postgres_releases",
        description=postgres_releases.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="where the bundles go")
    add(
        "--work",
        type=Path,
        default=Path("/var/tmp/perfpress-postgres-releases"),
        metavar="DIR",
        help="downloads, servers and data (default: %(default)s)",
    )
    add("--host", default=socket.gethostname(), metavar="NAME", help="what to call this machine")
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
        buffer=ROOT_BUFFER if os.geteuid() == 0 else "",
        captures=given.captures,
        seconds=given.length,
        every=given.length + PAUSE_SECONDS,
        raw=1,
    )
    plan = Plan(given.repeats, given.seconds, sampling)
    try:
        check_commands()
        problems = Recipe(plan, given.out, given.work.resolve(), given.host).run()
    except BadInput as failure:
        problems = list(failure.problems)
    except KeyboardInterrupt:
        print(f"\ninterrupted; the finished runs are in {given.out}", file=sys.stderr)
        return 1
    print_problems(problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0


if __name__ == "__main__":
    sys.exit(main())
