"""The archive of a run: what a reader checks it by, and nothing else."""

import io
import tarfile
from pathlib import Path

import pytest
from bundle_samples import good_bundle, pgbench_log
from perfpress.input.bundles.read import Bundle
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads import run_archives
from perfpress.site.downloads.run_archives import archive_of, archived_files, publish_archives
from step_run_samples import captures, step_run
from study_samples import study_of

STEP = {
    "name": "select",
    "operation": "transaction",
    "logs": ["select.txt"],
    "captures": ["perf.*"],
}
FILES = {"select.txt": pgbench_log(1000.0), "my.cnf": "fsync = on\n", "graph.svg": "<svg/>"}


def bundle_in(directory: Path) -> Bundle:
    changes = {"step": [STEP], "attachments": ["my.cnf", "graph.svg"]}
    return good_bundle(directory, changes, {**FILES, **captures(1)})


def members(content: bytes) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {each.name: each for each in archive.getmembers()}


def test_it_holds_what_was_stated_logs_and_attachments(tmp_path: Path) -> None:
    bundle = bundle_in(tmp_path)
    found = members(archive_of(bundle, archived_files(bundle)))
    names = [f"{bundle.run_id}/{name}" for name in ("my.cnf", "run.toml", "select.txt")]
    assert sorted(found) == names, "neither captures nor drawings"
    assert all(each.isfile() for each in found.values())
    assert {(each.uid, each.gid, each.mtime, each.mode) for each in found.values()} == {
        (0, 0, 0, 0o644)
    }


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = bundle_in(tmp_path / "a"), bundle_in(tmp_path / "b")
    (other.directory / "select.txt").touch()
    assert archive_of(one, archived_files(one)) == archive_of(other, archived_files(other))


def test_it_is_published_and_its_size_is_shown(tmp_path: Path) -> None:
    study = study_of([step_run(tmp_path / "run", 1.0)])
    ((run_id, archive),) = publish_archives(study, "18", SiteDirectory(tmp_path / "site")).items()
    assert archive.url == f"/reports/servers/18/runs/{run_id}.tar.gz"
    assert archive.text.endswith(" B")
    assert (tmp_path / "site" / "static" / archive.url.lstrip("/")).is_file()


def test_of_too_large_a_run_the_size_is_shown_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_archives, "MOST_BYTES", 100)
    study = study_of([step_run(tmp_path / "run", 1.0)])
    (archive,) = publish_archives(study, "18", SiteDirectory(tmp_path / "site")).values()
    assert archive.url == ""
    assert "more than the 100 B that are published" in archive.text
