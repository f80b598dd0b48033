"""Guards that the doors share, each alone: quick to run."""

from pathlib import Path

import pytest
from bundle_samples import write_files
from perfpress.base.console import line_of
from perfpress.input.bundles.read import read_bundle


@pytest.mark.parametrize("year", ["1066", "1969", "9001", "9999"])
def test_a_run_of_another_age_is_refused(tmp_path: Path, year: str) -> None:
    write_files(tmp_path)
    text = (tmp_path / "run.toml").read_text()
    (tmp_path / "run.toml").write_text(f"started = {year}-06-01T00:00:00Z\n{text}")
    bundle, [problem] = read_bundle(tmp_path, "b")
    assert bundle is None
    assert (problem.line, problem.expected) == (1, "a date of this age")


@pytest.mark.parametrize("line", ["::add-mask::x", "  ::error::x", "\x1b::x"])
def test_no_line_is_a_command_of_a_workflow(line: str) -> None:
    assert not line_of(line).lstrip().startswith(("::", "##["))
    assert line_of(line).isprintable()


@pytest.mark.parametrize(
    "line", ["##[add-mask]x", "a/b.txt:3: unknown ##[set-output name=x;]y", "###[x]"]
)
def test_no_line_holds_a_command_of_a_workflow(line: str) -> None:
    """GitHub's runner takes commands of this older form from the middle of a line, too."""
    assert "##[" not in line_of(line)
