"""Temporary directories of processes that run at once."""

import os
from pathlib import Path
from typing import Any

import pytest
from perfpress.base.disk import temporary_directory


def test_one_that_another_process_removes_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    really_open = os.open

    def open_late(path: Any, *arguments: Any, **named: Any) -> int:
        if Path(path).parent == tmp_path:
            if not opened:
                Path(path).rmdir()
            opened.append(Path(path))
        return really_open(path, *arguments, **named)

    monkeypatch.setattr(os, "open", open_late)
    with temporary_directory("perfpress-test-", tmp_path) as directory:
        assert directory.is_dir()
        assert directory != opened[0]
