"""Measures the report on the Insert Benchmark; see the package for what, how and why."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import accounts, rocksdb, rocksdb_insert_benchmark
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import found_folder, profiling
from recipes.command_line import Options, run_with_options
from recipes.rocksdb import Release
from recipes.rocksdb_insert_benchmark.plan import RELEASES, REPORT, STEPS, Measuring, Step, order

FILES = Path(__file__).parent
LOG = "insert_benchmark.txt"
NEEDED = {"gcc": "gcc", "perf": "linux-perf", "taskset": "util-linux"}
PROFILED_SECONDS = 15
SAMPLING = Sampling(captures=6, seconds=1.5, every=2, frequency=999, call_graph="fp")


class Recipe:
    """One call of this program."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.database = options.work / "database"
        self.program = options.work / "insert_benchmark"
        self.cpu = max(os.sched_getaffinity(0))
        self.folder = found_folder()

    def run(self) -> list[Problem]:
        """Fetch all releases and make all runs; return what went wrong with single ones.

        Raises:
            BadInput: a release cannot be fetched, or the program not compiled.
        """
        self.options.work.mkdir(parents=True, exist_ok=True)
        for release in RELEASES:
            rocksdb.install(release, self.options.work)
        rocksdb.compile_program(FILES / "insert_benchmark.c", self.program)
        return make_bundles(map(self._turn, order(self.options.repeats)), self.options.out)

    def _turn(self, one: Measuring) -> Turn:
        title = f"RocksDB {one.release.version}: {'profile' if one.is_profiled else 'rates'}"
        return Turn(title, lambda directory: self._measure(one, directory))

    def _measure(self, one: Measuring, directory: Path) -> schema.Run:
        shutil.rmtree(self.database, ignore_errors=True)
        return schema.Run(
            schema=1,
            report=REPORT,
            release=one.release.version,
            benchmark="insert-benchmark",
            host=self.options.host_name,
            config="cached",
            clients=1,
            tools={**one.release.tools, **tool_versions(("gcc", "perf"))},
            steps=tuple(self._steps(one, directory)),
        )

    def _steps(self, one: Measuring, directory: Path) -> Iterator[schema.Step]:
        for step in STEPS:
            request = self._request(step, one)
            if step.is_query:
                accounts.run(self._command(one.release, "settle"))
            if one.is_profiled and not step.is_profiled:
                accounts.run(request.command)  # the steps after it need its rows
                continue
            if one.is_profiled:
                request = replace(request, profiling=profiling(SAMPLING, self.folder))
            yield measure_step(request, directory).step

    def _request(self, step: Step, one: Measuring) -> StepRequest:
        seconds = PROFILED_SECONDS if one.is_profiled else self.options.seconds
        command = self._command(one.release, *step.words(seconds))
        formats = {LOG: FILES / "log.toml"}
        return StepRequest(step.name, step.operation, command, log=LOG, formats=formats)

    def _command(self, release: Release, *words: str) -> tuple[str, ...]:
        library = rocksdb.install(release, self.options.work)
        program = (str(self.program), str(library), str(self.database))
        return ("taskset", "-c", str(self.cpu), *program, *words)


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    return run_with_options(
        rocksdb_insert_benchmark,
        lambda options: Recipe(options).run(),
        NEEDED,
        repeats=5,
        seconds=5,
    )


if __name__ == "__main__":
    sys.exit(main())
