"""The reports of the demo: publishing goes on around defects, so a test has to notice them."""

import shutil
from pathlib import Path

import pytest
from perfpress.base.checkout import ROOT
from perfpress.build.hugo import configured_base_url
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from small_site import quiet


@pytest.mark.slow
def test_the_demo_is_published_without_a_problem(tmp_path: Path) -> None:
    request = BuildRequest(
        results=Path(shutil.copytree(ROOT / "data" / "results", tmp_path / "results")),
        content=ROOT / "content",
        out=tmp_path / "public",
        base_url=configured_base_url(),
        processes=2,
        drafts=False,
        # What `make site` has folded, and drawn for the same address: without it, minutes.
        cache=ROOT / "data" / ".cache",
    )
    problems = build(request, quiet).problems
    assert not [str(each) for each in problems if each.severity == "error"]
