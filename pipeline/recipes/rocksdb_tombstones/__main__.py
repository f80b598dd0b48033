"""Measures the report on tombstones; see the package for what, how and why."""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import rocksdb, rocksdb_tombstones
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import found_folder, profiling
from recipes.command_line import Options, run_with_options
from recipes.rounds import rounds

REPORT = "rocksdb-tombstones"
STEP = "write block"
RELEASE = rocksdb.ROCKSDB_10
WORKERS = 1
LOOKUPS = ("unbounded", "bounded")
SOURCE = Path(__file__).with_name("block_writer.c")
NEEDED = {"gcc": "gcc", "perf": "linux-perf"}
SAMPLING = Sampling(captures=6, seconds=3, every=9, frequency=499, call_graph="fp")


@dataclass(frozen=True)
class Measuring:
    """One run."""

    lookup: str
    is_profiled: bool = False


def order(repeats: int) -> Iterator[Measuring]:
    """Yield all runs; every round begins with the other way to look up a key."""
    for lookups in rounds(LOOKUPS, repeats):
        yield from map(Measuring, lookups)
    for lookup in LOOKUPS:
        yield Measuring(lookup, is_profiled=True)


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
        title = f"{one.lookup}: {'profile' if one.is_profiled else 'rates'}"
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
        if one.is_profiled:
            request = replace(request, profiling=profiling(SAMPLING, self.folder))
        else:
            request = replace(request, more_logs=(self.trace,))
        return measure_step(request, directory).step


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    return run_with_options(
        rocksdb_tombstones, lambda options: Recipe(options).run(), NEEDED, repeats=3, seconds=60
    )


if __name__ == "__main__":
    sys.exit(main())
