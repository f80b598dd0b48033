"""A lab host has Python, and of all packages only those that the base install brings."""

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[4]

ALONE = """
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
from perfpress.__main__ import main
sys.exit(main())
"""
"""Calls the command line as if some packages were not installed."""


def names(distribution: str) -> set[str]:
    """Return what a package is imported as."""
    found = metadata.packages_distributions()
    return {module for module, owners in found.items() if distribution in owners}


def test_a_lab_host_captures_checks_and_adds_without_the_packages_of_the_site(
    tmp_path: Path,
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [package for group in project["optional-dependencies"].values() for package in group]
    refused = set().union(*(names(re.split("[=<>]", package)[0]) for package in extras))
    assert {"numpy", "pandas", "scipy"} <= refused
    out, results = str(tmp_path / "out"), tmp_path / "results"
    results.mkdir()
    what = ["--report", "r", "--release", "18", "--host", "h", "--step", "s", "--operation", "op"]
    bench = ["--", sys.executable, "-c", "print('tps = 5')"]
    for words in (
        ["capture", *what, "--operations", "5", "--out", out, *bench],
        ["check", out, "--results", str(results)],
        ["add", out, "--results", str(results)],
    ):
        done = subprocess.run(
            [sys.executable, "-c", ALONE.format(refused=refused), *words],
            env=os.environ | {"PYTHONPATH": str(ROOT / "pipeline")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
    assert len(list(results.glob("r/18/h/*/run.toml"))) == 1
