"""Fixtures shared by all areas."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DATA = Path(os.environ.get("PERFPRESS_DATA", PROJECT.parent / "shared" / "data"))
"""A folder of published results that are not ours to copy; tests read them where they are."""


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """Return a finder of real results; it skips the test where they are not on this machine."""

    def find(name: str) -> Path:
        path = DATA / name
        if not path.exists():
            pytest.skip(f"{name} is not below {DATA} (set PERFPRESS_DATA)")
        return path

    return find
