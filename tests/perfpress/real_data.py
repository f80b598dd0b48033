"""Published results that are not ours to copy: tests read them where they are."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DATA = Path(os.environ.get("PERFPRESS_DATA", PROJECT.parent / "shared" / "data"))


def real_data(name: str) -> Path:
    """Return the path of a file or folder; skip the test where it is not on this machine."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not below {DATA} (set PERFPRESS_DATA)")
    return path
