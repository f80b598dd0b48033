"""What is measured, in which order, and with which commands."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perfpress.host.capture.profiler import Sampling

from recipes.postgres_releases.artifacts import ARTIFACTS, Artifact
from recipes.rounds import rounds

SPARE_SECONDS = 5
"""How much longer than its captures a profiled step runs; perf may be slow to begin and to end."""


@dataclass(frozen=True)
class Workload:
    """One step."""

    step: str
    operation: str
    script: str
    """A file beside this one, or a script built into pgbench."""

    @property
    def is_file(self) -> bool:
        """True where the script is a file."""
        return self.script.endswith(".sql")


WORKLOADS = (
    Workload("select", "select", "select-only"),
    Workload("range-scan", "scan of 1000 rows", "range_scan.sql"),
    Workload("insert", "insert of 10 rows", "insert.sql"),
    Workload("update", "update", "update.sql"),
)


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    repeats: int
    seconds: int
    """How long each step of a repeat runs."""
    sampling: Sampling
    """`raw` holds for the first workload of the last release only."""

    @property
    def profiled_seconds(self) -> int:
        """How long each step of a profiling run runs."""
        return round((self.sampling.captures or 1) * (self.sampling.every or 0)) + SPARE_SECONDS


@dataclass(frozen=True)
class Turn:
    """One run: all workloads on one release."""

    artifact: Artifact
    seed: int
    """Of pgbench's random numbers: the same for all releases of a round."""
    profiled: bool


def turns(plan: Plan) -> Iterator[Turn]:
    """Yield all runs in the order in which they are made."""
    for seed, artifacts in enumerate(rounds(ARTIFACTS, plan.repeats), start=1):
        for artifact in artifacts:
            yield Turn(artifact, seed, profiled=False)
    for artifact in ARTIFACTS:
        yield Turn(artifact, plan.repeats + 1, profiled=True)


def pgbench_command(
    workload: Workload, turn: Turn, plan: Plan, scripts: Path, connection: tuple[str, ...], cpu: int
) -> tuple[str, ...]:
    """Return the command that runs a workload once.

    `scripts` holds the SQL files; `connection` is how pgbench finds the server.
    """
    script = ("-b", workload.script)
    if workload.is_file:
        script = ("-f", str(scripts / workload.script))
    seconds = plan.profiled_seconds if turn.profiled else plan.seconds
    return (
        *("taskset", "-c", str(cpu), "pgbench", "--no-vacuum", "--protocol=prepared"),
        *("--client=1", f"--time={seconds}", "--progress=1", f"--random-seed={turn.seed}"),
        *script,
        *connection,
    )
