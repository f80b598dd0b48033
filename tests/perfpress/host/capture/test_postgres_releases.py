"""The parts of the example's recipe that need no server and no network."""

import hashlib
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from perfpress.base.problems import BadInput
from perfpress.host.capture.profiler import Sampling
from recipes.downloads import Download, fetch
from recipes.postgres_releases import artifacts
from recipes.postgres_releases.artifacts import ARTIFACTS, Artifact, install
from recipes.postgres_releases.plan import WORKLOADS, Plan, pgbench_command, turns
from recipes.postgres_releases.server import FILES

PLAN = Plan(repeats=6, seconds=10, sampling=Sampling(captures=6, seconds=3, every=4))


def member(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def jar(path: Path, *members: tuple[tarfile.TarInfo, bytes], inside: str = "x.txz") -> Path:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    with zipfile.ZipFile(path, "w") as outer:
        outer.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        outer.writestr(inside, packed.getvalue())
    return path


def test_a_server_is_unpacked_with_its_modes_and_links(tmp_path: Path) -> None:
    path = jar(
        tmp_path / "a.jar",
        member("./bin", type=tarfile.DIRTYPE, mode=0o755),
        member("./bin/postgres", b"\x7fELF", mode=0o4777),
        member("./lib/libpq.so.5", b"elf", mode=0o644),
        member("./lib/libpq.so", type=tarfile.SYMTYPE, linkname="libpq.so.5"),
    )
    artifacts.unpack(path, tmp_path / "server")
    assert stat.S_IMODE((tmp_path / "server/bin/postgres").stat().st_mode) == 0o755
    assert (tmp_path / "server/lib/libpq.so").read_bytes() == b"elf"


@pytest.mark.parametrize(
    "bad",
    [
        member("../outside", b"x"),
        member("bin/../../outside", b"x"),
        member("/tmp/outside", b"x"),
        member("link", type=tarfile.SYMTYPE, linkname="../../etc/passwd"),
        member("link", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        member("hard", type=tarfile.LNKTYPE, linkname="bin/postgres"),
        member("device", type=tarfile.CHRTYPE),
    ],
    ids=lambda bad: f"{bad[0].name}-{bad[0].linkname}",
)
def test_an_archive_that_leads_elsewhere_is_refused(
    tmp_path: Path, bad: tuple[tarfile.TarInfo, bytes]
) -> None:
    place = tmp_path / "deep" / "server"
    place.parent.mkdir()
    with pytest.raises(BadInput, match="leads out of the archive"):
        artifacts.unpack(jar(tmp_path / "a.jar", bad), place)
    assert list(place.iterdir()) == []
    assert list(tmp_path.rglob("outside")) == []


def test_a_file_that_is_no_server_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.jar").write_text("<html>404</html>")
    with pytest.raises(BadInput, match="cannot be unpacked"):
        artifacts.unpack(tmp_path / "a.jar", tmp_path / "one")
    with pytest.raises(BadInput, match=r"no \.txz inside"):
        artifacts.unpack(jar(tmp_path / "b.jar", inside="x.zip"), tmp_path / "two")


def test_a_file_with_another_checksum_is_not_unpacked(tmp_path: Path) -> None:
    artifact = Artifact("18", "18.6.0", "0" * 64)
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    path = jar(downloads / artifact.download.file_name)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(BadInput, match=rf"sha256 {found}; expected 0+; remove it"):
        install(artifact, downloads, tmp_path / "servers")
    assert not (tmp_path / "servers").exists()


def test_a_server_is_installed_once(tmp_path: Path) -> None:
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    path = jar(
        downloads / Artifact("18", "18.6.0", "").download.file_name, member("postgres", b"elf")
    )
    artifact = Artifact("18", "18.6.0", hashlib.sha256(path.read_bytes()).hexdigest())
    server = install(artifact, downloads, tmp_path / "servers")
    assert (server / "postgres").read_bytes() == b"elf"
    path.unlink()
    assert install(artifact, downloads, tmp_path / "servers") == server
    assert [entry.name for entry in (tmp_path / "servers").iterdir()] == ["18"]


def test_a_download_that_fails_says_what_to_do_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="download it by other means"):
        fetch(Download((tmp_path / "a.jar").as_uri(), ""), tmp_path / "downloads")
    assert list((tmp_path / "downloads").iterdir()) == []


def test_every_artifact_is_pinned() -> None:
    assert [artifact.release for artifact in ARTIFACTS] == ["12", "14", "16", "18"]
    for artifact in ARTIFACTS:
        assert len(bytes.fromhex(artifact.sha256)) == 32
        assert artifact.download.url.startswith("https://")
        assert artifact.download.url.endswith(f"/{artifact.version}/{artifact.download.file_name}")


def test_every_round_runs_all_releases_and_begins_with_another() -> None:
    order = list(turns(PLAN))
    repeats = [turn for turn in order if not turn.profiled]
    rounds = [repeats[start : start + 4] for start in range(0, 24, 4)]
    for one in rounds:
        assert {turn.artifact.release for turn in one} == {"12", "14", "16", "18"}
        assert len({turn.seed for turn in one}) == 1
    assert [one[0].artifact.release for one in rounds] == ["12", "14", "16", "18", "12", "14"]
    assert len({one[0].seed for one in rounds}) == 6
    assert [turn.artifact.release for turn in order[24:]] == ["12", "14", "16", "18"]
    assert all(turn.profiled for turn in order[24:])


def test_a_profiled_step_outlasts_its_captures() -> None:
    *_, profiled = turns(PLAN)
    command = pgbench_command(WORKLOADS[0], profiled, PLAN, Path("/w"), ("bench",), 1)
    last_capture_ends = 5 * (PLAN.sampling.every or 0) + PLAN.sampling.seconds
    assert f"--time={last_capture_ends + 6}" in command


def test_scripts_are_files_of_the_recipe_or_pgbench_s_own() -> None:
    first = next(turns(PLAN))
    for workload in WORKLOADS:
        command = pgbench_command(workload, first, PLAN, FILES, ("-h", "/w", "bench"), 1)
        assert command[:4] == ("taskset", "-c", "1", "pgbench")
        assert command[-3:] == ("-h", "/w", "bench")
        assert "--time=10" in command
        if "-f" in command:
            assert Path(command[command.index("-f") + 1]).is_file()
        else:
            assert command[command.index("-b") + 1] == "select-only"
