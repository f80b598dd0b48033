"""Measures the report on tombstones; see the package for what, how and why."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from perfpress.base.problems import Problem, bad_input
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import off_cpu, rocksdb, rocksdb_tombstones
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import found_folder, profiling, taken_during
from recipes.command_line import Options, run_with_options
from recipes.rounds import rounds

REPORT = "rocksdb-tombstones"
STEP = "write block"
OFF_CPU = "off-CPU time"
"""A step of its own: a graph and a diff are of one event."""
OFF_CPU_SECONDS = 10
"""Of a capture; there are four in a run."""
RELEASE = rocksdb.ROCKSDB_10
WORKERS = 1
LOOKUPS = ("unbounded", "bounded")
SOURCE = Path(__file__).with_name("block_writer.c")
NEEDED = {"gcc": "gcc", "perf": "linux-perf"}
SAMPLING = Sampling(captures=6, seconds=3, every=9, frequency=499, call_graph="fp")


Profile = Literal["cpu", "off-cpu"]
PROFILES: tuple[Profile, ...] = ("cpu", "off-cpu")


@dataclass(frozen=True)
class Measuring:
    """One run."""

    lookup: str
    profile: Profile | None = None


def order(repeats: int) -> Iterator[Measuring]:
    """Yield all runs; every round begins with the other way to look up a key."""
    for lookups in rounds(LOOKUPS, repeats):
        yield from map(Measuring, lookups)
    for profile in PROFILES:
        for lookup in LOOKUPS:
            yield Measuring(lookup, profile)


class Recipe:
    """One call of this program."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.work = options.work
        self.folder = found_folder()
        self.program = options.work / "block_writer"
        self.trace = options.work / "trace.txt"

    def run(self) -> list[Problem]:
        """Fetch RocksDB and make all runs; return what went wrong with single ones.

        Raises:
            BadInput: RocksDB cannot be fetched, or the program not compiled.
        """
        self.work.mkdir(parents=True, exist_ok=True)
        self.library = rocksdb.install(RELEASE, self.work)
        rocksdb.compile_program(SOURCE, self.program)
        return make_bundles(map(self._turn, order(self.options.repeats)), self.options.out)

    def _turn(self, one: Measuring) -> Turn:
        title = f"{one.lookup}: {one.profile or 'rates'}"
        return Turn(title, lambda directory: self._measure(one, directory))

    def _measure(self, one: Measuring, directory: Path) -> schema.Run:
        shutil.rmtree(self.work / "database", ignore_errors=True)
        return schema.Run(
            schema=1,
            report=REPORT,
            release=one.lookup,
            benchmark="block_writer",
            host=self.options.host_name,
            config=f"rocksdb-{RELEASE.version}",
            clients=WORKERS,
            tools={**RELEASE.tools, **tool_versions(("gcc", "perf"))},
            steps=(self._step(one, directory),),
        )

    def _step(self, one: Measuring, directory: Path) -> schema.Step:
        command = (
            *(str(self.program), str(self.library), str(self.work / "database")),
            *(str(self.options.seconds), str(WORKERS), one.lookup, str(self.trace)),
        )
        request = StepRequest(STEP, "block", command, log="block_writer.txt")
        if one.profile == "off-cpu":
            captures = off_cpu.off_cpu(self._workers, "fp", OFF_CPU_SECONDS, self.folder)
            return taken_during(replace(request, name=OFF_CPU), directory, captures)
        if one.profile == "cpu":
            request = replace(request, profiling=profiling(SAMPLING, self.folder))
        else:
            request = replace(request, more_logs=(self.trace,))
        return measure_step(request, directory).step

    def _workers(self) -> str:
        """Return perf's option for the program's threads but the first, which sleeps.

        Raises:
            BadInput: it does not run.
        """
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # a process that ended
                if (process / "cmdline").read_bytes().startswith(bytes(self.program)):
                    threads = {each.name for each in (process / "task").iterdir()}
                    return f"--tid={','.join(sorted(threads - {process.name}))}"
        raise bad_input(path=str(self.program), found="not running")


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    return run_with_options(
        rocksdb_tombstones, lambda options: Recipe(options).run(), NEEDED, repeats=3, seconds=60
    )


if __name__ == "__main__":
    sys.exit(main())
