"""A site with logs, profiles, a diff and charts that takes two seconds to build."""

import shutil
from pathlib import Path

from bundle_samples import FILES, accepted, folded
from perfpress.base.checkout import ROOT
from perfpress.build.request import BuildRequest

STEP = {
    "name": "select",
    "operation": "transaction",
    "logs": ["select.txt"],
    "captures": ["cpu.folded.gz"],
}


def small_site(work: Path) -> BuildRequest:
    """Write results and texts; return the request to build them, with a cache of its own."""
    for release, samples in (("17", 400), ("18", 500)):
        files = FILES | {"cpu.folded.gz": folded(samples)}
        accepted(work / "results", {"release": release, "step": [STEP]}, files)
    shutil.copytree(ROOT / "content" / "method", work / "content" / "method")
    (work / "content" / "_index.md").write_text('+++\ntitle = "Home"\n+++\n')
    return BuildRequest(
        results=work / "results",
        content=work / "content",
        out=work / "public",
        base_url="https://example.org/perf/",
        processes=1,
        drafts=False,
        cache=work / "cache",
    )


def quiet(_: str) -> None:
    """Say nothing of a build."""


def contents(directory: Path) -> dict[str, bytes]:
    """Return all files below a directory."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
