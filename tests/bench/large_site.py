"""Write results of many releases and steps, for measuring how a site grows: logs alone.

    python tests/bench/large_site.py DIR --releases 100 --steps 4 --runs 2
    /usr/bin/time -v perfpress build --results DIR/results --content DIR/content --out DIR/site

Each run has ten seconds of throughput. Rates drift by a percent a release and jitter by two.
"""

import argparse
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.schema import Run, Step
from perfpress.input.bundles.write import write_run

FIRST = datetime(2020, 1, 1, tzinfo=UTC)
REPORT = "many"
SECONDS = 10


def main() -> None:
    """Write the results of all releases, and an empty directory of texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--releases", type=int, default=100)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--runs", type=int, default=2)
    wanted = parser.parse_args()
    results = wanted.directory / "results"
    (wanted.directory / "content").mkdir(parents=True)
    for release in range(wanted.releases):
        for run in range(wanted.runs):
            write_bundle(results, release, run, wanted.steps)


def write_bundle(results: Path, release: int, run: int, steps: int) -> None:
    """Write one run of a release, both by number, where it belongs below the results."""
    chance = random.Random(f"{release} {run}")
    writing = results / ".writing"
    writing.mkdir(parents=True)
    stated = []
    for step in range(steps):
        name = f"s{step:03}"
        rate = (1000 + 100 * step) * 1.01 ** (release % 20) * chance.uniform(0.98, 1.02)
        (writing / f"{name}.txt").write_text(_log(rate, chance))
        stated.append(Step(name=name, operation="transaction", logs=(f"{name}.txt",)))
    started = FIRST + timedelta(days=release, hours=run)
    run_file = Run(
        schema=1,
        report=REPORT,
        release=f"{1 + release // 10}.{release % 10}",
        benchmark="pgbench",
        host="socket2",
        started=started,
        steps=tuple(stated),
    )
    write_run(run_file, writing / "run.toml")
    bundle, problems = read_bundle(writing, "bundle")
    if bundle is None:
        raise SystemExit(str(problems))
    target = results.joinpath(*place_of(bundle))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(writing, target)


def _log(rate: float, chance: random.Random) -> str:
    """Return what pgbench prints at that rate."""
    progress = "".join(
        f"progress: {second}.0 s, {rate * chance.uniform(0.95, 1.05):.1f} tps, "
        f"lat {2000 / rate:.3f} ms stddev 0.1, 0 failed\n"
        for second in range(1, SECONDS + 1)
    )
    return (
        "transaction type: <builtin: select only>\n"
        f"{progress}"
        "scaling factor: 1\nquery mode: simple\nnumber of clients: 2\nnumber of threads: 1\n"
        f"duration: {SECONDS} s\n"
        f"number of transactions actually processed: {round(rate * SECONDS)}\n"
        f"latency average = {2000 / rate:.3f} ms\ninitial connection time = 5.000 ms\n"
        f"tps = {rate:.6f} (without initial connection time)\n"
    )


if __name__ == "__main__":
    main()
