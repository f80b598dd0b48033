"""What differs between two releases by nature, and what may be the cause of a change."""

import pytest
from perfpress.analysis.environment.environment import Difference, FactKind
from perfpress.analysis.environment.implied import is_implied
from perfpress.input.report.front_matter import Release

BASE = Release(id="12", label="PostgreSQL 12", version="12.22")
AFTER = Release(id="18", label="PostgreSQL 18", version="18.6")
HASHES = ("0" * 64, "1" * 64)


def implied(base: str | None, after: str | None, kind: FactKind = "tool", lines: str = "") -> bool:
    changed = tuple(lines.splitlines())
    return is_implied(Difference(kind, "x", (base,), (after,), changed), BASE, AFTER)


@pytest.mark.parametrize(
    ("base", "after"),
    [
        ("PostgreSQL 12.22 on x86_64, gcc 7.5.0", "PostgreSQL 18.6 on x86_64, gcc 7.5.0"),
        ("linux-amd64-12.22.0.jar", "linux-amd64-18.6.0.jar"),
        (f"pg-12.22.0.jar sha256 {HASHES[0]}", f"pg-18.6.0.jar sha256 {HASHES[1]}"),
        ("/opt/12/bin/postgres (x~18.04)", "/opt/18/bin/postgres (x~18.04)"),
    ],
)
def test_the_own_version_of_a_release_is_implied(base: str, after: str) -> None:
    assert implied(base, after)


@pytest.mark.parametrize(
    ("base", "after"),
    [
        ("PostgreSQL 12.22, gcc 7.5.0", "PostgreSQL 18.6, gcc 12.1.0"),
        (f"sha256 {HASHES[0]}", f"sha256 {HASHES[1]}"),
        ("gcc 12.22", "gcc 12.2"),
        ("PostgreSQL 12.22", "PostgreSQL 18.6 patched"),
        ("12 GB", None),
        ("v120", "v180"),
        ("on", "off"),
    ],
)
def test_anything_else_is_not(base: str, after: str | None) -> None:
    assert not implied(base, after)


def test_settings_are_judged_by_their_changed_lines() -> None:
    values = (f"sha256 {HASHES[0]}", f"sha256 {HASHES[1]}")
    version = "-data = /db/12.22\n+data = /db/18.6"
    assert implied(*values, "attachment", version)
    assert not implied(*values, "attachment", f"{version}\n+io_method = worker")
    assert not implied(*values, "attachment", f"{version}\n-buffers = 1\n+buffers = 2")


def test_runs_that_disagree_are_not_implied() -> None:
    both = Difference("tool", "x", ("12.22", "12.21"), ("18.6",))
    assert not is_implied(both, BASE, AFTER)


def test_configurations_declared_the_same_are_implied() -> None:
    assert implied("z12a", "z12b", "run.toml")
