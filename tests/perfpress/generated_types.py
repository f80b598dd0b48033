"""The types of JavaScript that are made of a JSON Schema, as `make schemas` makes them."""

import subprocess
from pathlib import Path

from perfpress.base.node.requests import node_path

ROOT = Path(__file__).parents[2]


def types_of(schema: str) -> str:
    """Return the types from the first one on."""
    program = ROOT / "node_modules/.bin/json2ts"
    words: list[str | Path] = [node_path(), program, "--additionalProperties=false"]
    made = subprocess.run(
        words, input=schema.encode(), stdout=subprocess.PIPE, check=True, timeout=60
    )
    return made.stdout.decode().partition("export ")[2]


def types_in(file: Path) -> str:
    """Return those that a file holds."""
    return file.read_text(encoding="utf-8").partition("export ")[2]
