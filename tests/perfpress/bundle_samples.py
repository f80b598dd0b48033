"""Small bundles for tests, written into a directory of theirs."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import Bundle, read_bundle

RUN: dict[str, Any] = {
    "schema": 1,
    "report": "postgres-releases",
    "release": "18",
    "benchmark": "pgbench",
    "host": "socket2",
    "step": [{"name": "select", "operation": "transaction", "logs": ["select.txt"]}],
}

PGBENCH = """\
transaction type: <builtin: select only>
scaling factor: 1
query mode: simple
number of clients: 2
number of threads: 1
duration: 2 s
number of transactions actually processed: {transactions}
latency average = 2.000 ms
initial connection time = 5.000 ms
tps = {rate} (without initial connection time)
"""


def pgbench_log(rate: float) -> str:
    """Return what pgbench prints at that rate."""
    return PGBENCH.format(rate=f"{rate:.6f}", transactions=round(rate * 2))


FILES: dict[str, str | bytes] = {"select.txt": pgbench_log(1000.0)}


def folded(samples: int = 3) -> bytes:
    """Return a capture as perfpress folds it on a host."""
    text = f"# perfpress-folded event=cpu-clock samples={samples} lost=0\na;b {samples}\n"
    return gzip.compress(text.encode(), mtime=0)


def write_files(
    directory: Path,
    changes: Mapping[str, Any] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    text: str | None = None,
) -> Path:
    """Write a bundle whose run.toml is `RUN` with changes, or any text; `None` removes a key."""
    values = {key: value for key, value in (RUN | dict(changes or {})).items() if value is not None}
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "run.toml").write_text(tomli_w.dumps(values) if text is None else text)
    for name, content in (FILES if files is None else files).items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return directory


def good_bundle(
    directory: Path,
    changes: Mapping[str, Any] | None = None,
    files: Mapping[str, str | bytes] | None = None,
) -> Bundle:
    """Write a bundle and read it."""
    bundle, problems = read_bundle(write_files(directory, changes, files), "bundle")
    assert bundle is not None, problems
    return bundle


def accepted(
    results: Path,
    changes: Mapping[str, Any] | None = None,
    files: Mapping[str, str | bytes] | None = None,
) -> Bundle:
    """Write a bundle to where it belongs below the results directory, and read it."""
    unplaced = good_bundle(results / ".writing", changes, files)
    target = results.joinpath(*place_of(unplaced))
    target.parent.mkdir(parents=True, exist_ok=True)
    unplaced.directory.rename(target)
    bundle, _ = read_bundle(target, str(target))
    assert bundle is not None
    return bundle
