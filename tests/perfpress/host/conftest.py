"""What tests of pushing and accepting begin with."""

from pathlib import Path

import pytest
from repositories import site_repository


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the repository of a site to which nothing was pushed yet."""
    return site_repository(tmp_path / "site.git")
