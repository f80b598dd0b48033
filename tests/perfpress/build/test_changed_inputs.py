"""Inputs that somebody changes while a site is built."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from perfpress.build import hugo, stages
from perfpress.build.request import BuildRequest
from perfpress.build.stages import CHANGED, build
from small_site import contents, quiet, small_site

LOG = "\n# one more line\n"


def add_to(directory: Path, name: str) -> None:
    """Add to a file that pages are made from."""
    path = min(directory.rglob(name))
    path.write_text(path.read_text() + LOG)


def change_a_result(request: BuildRequest) -> None:
    add_to(request.results, "run.toml")


def change_a_text(request: BuildRequest) -> None:
    add_to(request.content / "method", "*.md")


def write_a_correction(request: BuildRequest) -> None:
    request.corrections.mkdir()
    (request.corrections / "remark.txt").write_text(LOG)


@pytest.mark.parametrize("change", [change_a_result, change_a_text, write_a_correction])
def test_a_change_while_inputs_are_read_is_said_and_built_next(
    tmp_path: Path, change: Callable[[BuildRequest], None]
) -> None:
    request = small_site(tmp_path)

    def progress(stage: str) -> None:
        if stage.startswith("writing the data"):
            change(request)

    assert CHANGED in build(request, progress).problems
    after = build(request, quiet)
    assert not after.summary.startswith("up to date")
    assert CHANGED not in after.problems
    assert build(request, quiet).summary.startswith("up to date")
    full = replace(request, out=tmp_path / "full", cache=tmp_path / "other")
    build(full, quiet)
    assert contents(request.out) == contents(full.out)


def test_a_text_that_changes_while_hugo_reads_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = small_site(tmp_path)
    run_hugo = hugo.run_hugo

    def changing(*arguments: Any) -> None:
        change_a_text(request)
        run_hugo(*arguments)

    monkeypatch.setattr(stages, "run_hugo", changing)
    assert CHANGED in build(request, quiet).problems
