"""Which files are captures: the readers that fold them tell, by how a file begins."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.node.requests import FLAMEGRAPH, run_requests


def capture_formats(directory: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the formats of those files that are captures, by name.

    Raises:
        BadInput: there is no Node.
    """
    requests = [{"job": "recognise", "path": str(directory / name)} for name in names]
    answers = run_requests(FLAMEGRAPH, requests) if names else []
    found = {name: _format(answer) for name, answer in zip(names, answers, strict=True)}
    return {name: format_ for name, format_ in found.items() if format_}


def _format(answer: Mapping[str, Any]) -> str:
    """Return the format that was told; empty where the file is no capture, or cannot be read."""
    return answer.get("result", {}).get("format") or ""
