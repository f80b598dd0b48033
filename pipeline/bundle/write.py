"""Writes run.toml."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from pipeline.bundle.schema import Run


def run_toml(run: Run) -> str:
    """Return a run as the text of run.toml: keys in the order of the schema, defaults left out."""
    values: Any = msgspec.to_builtins(run, builtin_types=(datetime,))
    return tomli_w.dumps(_without_empty(values), multiline_strings=False)


def write_run(run: Run, path: Path) -> None:
    """Write run.toml under a temporary name and rename it, so that no half file is left."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(run_toml(run), encoding="utf-8")
    unfinished.replace(path)


def _without_empty(value: Any) -> Any:
    """Leave out tables that hold nothing, and `None`, which TOML lacks."""
    if isinstance(value, dict):
        inner = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item not in (None, {}, [])}
    if isinstance(value, list | tuple):
        return [_without_empty(item) for item in value]
    return value
