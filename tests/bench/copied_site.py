"""The request to build a copy of some inputs, with everything in one directory."""

import os
from pathlib import Path

from perfpress.build.request import BuildRequest


def request_of(work: Path) -> BuildRequest:
    """Return what to build of `results`, `corrections` and `content` in a directory, and where."""
    return BuildRequest(
        results=work / "results",
        content=work / "content",
        out=work / "public",
        base_url="https://example.org/",
        processes=os.cpu_count() or 1,
        drafts=True,
        cache=work / "cache",
    )
