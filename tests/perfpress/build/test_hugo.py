"""How Hugo is called."""

from pathlib import Path

import pytest
from perfpress.build import hugo


@pytest.mark.parametrize("name", ["GOMEMLIMIT", "GOGC"])
@pytest.mark.parametrize("own", [None, "70"])
def test_the_memory_of_hugo_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, own: str | None
) -> None:
    program, out = tmp_path / "hugo", tmp_path / "out"
    program.write_text(f'#!/bin/sh\necho "${name}" > {out}/limit\n')
    program.chmod(0o755)
    out.mkdir()
    monkeypatch.setattr(hugo, "hugo_path", lambda: program)
    monkeypatch.delenv(name, raising=False)
    if own:
        monkeypatch.setenv(name, own)
    hugo.run_hugo({}, tmp_path, tmp_path, out, drafts=False)
    ours = {"GOMEMLIMIT": hugo.MOST_MEMORY, "GOGC": hugo.GARBAGE}
    assert (out / "limit").read_text().strip() == (own or ours[name])


def test_a_part_has_the_pages_whose_data_fit_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hugo, "MOST_DATA", 100)
    for name, size in (("a", 60), ("b", 40), ("c", 1), ("large", 500), ("d", 99)):
        data = tmp_path / "assets" / "perfpress" / name / "_page.json"
        data.parent.mkdir(parents=True)
        data.write_bytes(b" " * size)
    paths = ["/a", "/b", "/c", "/a-text", "/large", "/d"]
    parts = hugo.parts_of(paths, tmp_path)
    assert parts == [["/a", "/b"], ["/c", "/a-text"], ["/large"], ["/d"]]
    assert hugo.parts_of([], tmp_path) == []
