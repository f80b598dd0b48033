"""Locates the checkout and the Node packages of this installation."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

ROOT = PACKAGE.parents[1]
"""The checkout that this package runs from; of an installed wheel, a directory without results."""

_INSTALLED = PACKAGE / "_node"
"""Where a wheel holds the Node packages (`force-include` in pyproject.toml)."""

NODE_PACKAGES = _INSTALLED if _INSTALLED.is_dir() else ROOT / "pipeline"
