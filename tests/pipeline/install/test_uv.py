import hashlib
import io
import subprocess
import zipfile
from pathlib import Path

import pytest

from pipeline.install import uv

PROGRAM = "uv-1.2.3.data/scripts/uv"


def wheel_with(program: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr(PROGRAM, program)
        members.writestr("uv/__init__.py", "")
        members.writestr("uv-1.2.3.dist-info/RECORD", "")
    return archive.getvalue()


@pytest.fixture
def no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uv, "install_with_pip", lambda _: "python3: No module named pip")


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, bytes]:
    """Answer for PyPI: its list of uv's wheels, of which the right one is pinned."""
    wheel = wheel_with(b"#!/bin/sh\necho uv 1.2.3\n")
    checksum = hashlib.sha256(wheel).hexdigest()
    requirement = tmp_path / "uv.txt"
    requirement.write_text(f"uv==1.2.3 \\\n    --hash=sha256:{checksum}\n")
    name = "uv-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    page = (
        f'<a href="https://files.example/old/{name}#sha256={"0" * 64}">{name}</a>\n'
        f'<a href="https://files.example/new/{name}#sha256={checksum}" data-x="">{name}</a>\n'
    )
    answers = {uv.INDEX: page.encode(), f"https://files.example/new/{name}": wheel}
    monkeypatch.setattr(uv, "REQUIREMENT", requirement)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("urllib.request.urlopen", lambda url: io.BytesIO(answers[url]))
    return answers


@pytest.mark.usefixtures("no_pip", "index")
def test_without_pip_the_pinned_wheel_is_fetched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uv.main(tmp_path / "tools" / "uv")
    told = subprocess.run(
        [tmp_path / "tools/uv/bin/uv"], capture_output=True, text=True, check=True
    )
    assert told.stdout == "uv 1.2.3\n"
    assert "No module named pip" in capsys.readouterr().err


@pytest.mark.usefixtures("no_pip", "index")
def test_a_new_version_replaces_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "uv" / "bin").mkdir(parents=True)
    (tmp_path / "uv" / "bin" / "left-over").touch()
    uv.main(tmp_path / "uv")
    assert [path.name for path in (tmp_path / "uv" / "bin").iterdir()] == ["uv"]


@pytest.mark.usefixtures("no_pip")
def test_a_wheel_with_another_checksum_is_refused(tmp_path: Path, index: dict[str, bytes]) -> None:
    [address] = [url for url in index if url != uv.INDEX]
    index[address] = wheel_with(b"something else")
    with pytest.raises(SystemExit, match=r"sha256 is [0-9a-f]{64}; expected [0-9a-f]{64}"):
        uv.main(tmp_path / "uv")
    assert not (tmp_path / "uv").exists()


@pytest.mark.usefixtures("no_pip", "index")
def test_a_machine_without_a_pinned_wheel_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SystemExit, match="no uv is pinned for Linux riscv64"):
        uv.main(tmp_path / "uv")
