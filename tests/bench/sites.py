"""Let Lighthouse look at the example, and at published archives: part of `make bench`.

The archives are not ours to copy: those not on this machine are not measured, and a line says so.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from fold import CACHE, DATA, NODE, PROJECT

SITES = CACHE / "sites"
PERFPRESS = PROJECT / ".venv" / "bin" / "perfpress"

LEAST_OF_EXAMPLE = 95
"""The least score of Lighthouse, of 100."""
LEAST_OF_ARCHIVE = 90


@dataclass(frozen=True)
class Archive:
    """Results that somebody published, and how `perfpress import` takes them."""

    name: str
    size: str
    path: str
    words: tuple[str, ...]


ARCHIVES = (
    Archive(
        name="mariadb-sysbench",
        size="35 builds × 38 tests",
        path="mariadb-sysbench-hetz48/sysbench-logs.tar.zst",
        words=("sysbench",),
    ),
    Archive(
        name="myrocks-ibench",
        size="5 builds × 2 steps with flame graphs",
        path="myrocks56-ibench",
        words=("svg", "--benchmark", "ibench", "--event", "cycles", "--work", "timed"),
    ),
)


def main() -> int:
    """Return 1 where a page scores less than it must."""
    site = SITES / "example"
    _run(PERFPRESS, "build", "--out", site)
    worst = _look_at("the example", site, LEAST_OF_EXAMPLE)
    for archive in ARCHIVES:
        path = DATA / archive.path
        if not path.exists():
            print(f"{archive.name} is not measured: no {archive.path} below {DATA}")
            continue
        site = _site_of(archive, path)
        worst |= _look_at(f"{archive.name}, {archive.size}", site, LEAST_OF_ARCHIVE)
    return worst


def _site_of(archive: Archive, path: Path) -> Path:
    """Import the archive, if that was not done before, and build a site of it."""
    work = SITES / archive.name
    results = work / "results"
    if not results.exists():
        if path.suffix == ".zst":
            unpacked = work / "archive"
            unpacked.mkdir(parents=True, exist_ok=True)
            _run("tar", "-I", "zstd", "-xf", path, "-C", unpacked)
            sources = sorted(unpacked.iterdir())
        else:
            sources = [path]
        kind, *options = archive.words
        # The archives are others': nothing is written beside them.
        places = ("--out", results, "--map", work / "map.toml")
        _run(PERFPRESS, "import", kind, *sources, *options, *places, "--host", "lab1")
    site = work / "site"
    content = work / "content"
    content.mkdir(exist_ok=True)
    _run(PERFPRESS, "build", "--results", results, "--content", content, "--out", site)
    return site


def _look_at(what: str, site: Path, least: int) -> int:
    print(f"\n{what}: at least {least}", flush=True)
    script = Path(__file__).with_name("lighthouse.js")
    command: list[str | Path] = [NODE, script, site, str(least)]
    return subprocess.run(command, check=False).returncode


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
