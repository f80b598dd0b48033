"""How Hugo is called."""

from pathlib import Path

import pytest
from perfpress.build import hugo


@pytest.mark.parametrize(("own", "given"), [(None, hugo.MOST_MEMORY), ("2GiB", "2GiB")])
def test_the_memory_of_hugo_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str | None, given: str
) -> None:
    program, out = tmp_path / "hugo", tmp_path / "out"
    program.write_text(f'#!/bin/sh\necho "$GOMEMLIMIT" > {out}/limit\n')
    program.chmod(0o755)
    out.mkdir()
    monkeypatch.setattr(hugo, "hugo_path", lambda: program)
    if own:
        monkeypatch.setenv("GOMEMLIMIT", own)
    hugo.run_hugo({}, tmp_path, tmp_path, out, drafts=False)
    assert (out / "limit").read_text().strip() == given
