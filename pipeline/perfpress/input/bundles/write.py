"""Writes run.toml."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from perfpress.base.disk import flush
from perfpress.input.bundles.schema import Run


def run_toml(run: Run) -> str:
    """Return a run as the text of run.toml: keys in the order of the schema, defaults left out."""
    values: Any = _without_empty(msgspec.to_builtins(run, builtin_types=(datetime,)))
    steps = values.pop("step", [])
    # tomli_w writes short tables of an array in one line: each step is written as a table instead.
    tables = (tomli_w.dumps({"step": step}) for step in steps)
    return tomli_w.dumps(values) + "".join(
        "\n[[step]]" + table.removeprefix("[step]") for table in tables
    )


def write_run(run: Run, path: Path) -> None:
    """Write run.toml under a temporary name; rename it once the whole bundle is on the disk."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(run_toml(run), encoding="utf-8")
        flush(path.parent)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _without_empty(value: Any) -> Any:
    """Leave out tables that hold nothing, and `None`, which TOML lacks."""
    if isinstance(value, dict):
        inner = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item not in (None, {}, [])}
    if isinstance(value, list | tuple):
        return [_without_empty(item) for item in value]
    return value
