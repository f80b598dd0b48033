"""The results and texts that the tests of the site are built from, to change and build again."""

import importlib.util
import shutil
from pathlib import Path

from perfpress.base.checkout import ROOT
from perfpress.build.request import BuildRequest

FIXTURE = ROOT / "tests" / "site" / "fixture"


def write_inputs(directory: Path) -> Path:
    """Write results, corrections and content into a directory; return it."""
    spec = importlib.util.spec_from_file_location("fixture_write", FIXTURE / "write.py")
    assert spec is not None
    assert spec.loader is not None
    write = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(write)
    write.main(directory)
    shutil.copytree(FIXTURE / "content", directory / "content")
    return directory


def request_for(inputs: Path, work: Path) -> BuildRequest:
    """Return a request with a cache of its own."""
    return BuildRequest(
        results=inputs / "results",
        content=inputs / "content",
        out=work / "public",
        base_url="https://example.org/perf/",
        processes=2,
        drafts=False,
        cache=work / "cache",
    )
