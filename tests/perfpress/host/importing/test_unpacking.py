"""Packed archives are unpacked only as far as that is safe."""

import gzip
import io
import tarfile
from pathlib import Path
from time import perf_counter

import pytest
import zstandard
from perfpress.base.limits import LIMITS
from perfpress.base.problems import BadInput
from perfpress.host.importing import unpacking
from perfpress.host.importing.archive import PACKED
from perfpress.host.importing.unpacking import is_packed, plain_name, unpack


def tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def files(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if not path.is_dir()
    }


def test_nothing_is_written_elsewhere_and_no_link_is_made(tmp_path: Path) -> None:
    packed = tar(
        tmp_path / "a.tar",
        [
            (member("./good/file"), b"good"),
            (member("../outside"), b"bad"),
            (member("good/../../outside"), b"bad"),
            (member(str(tmp_path / "absolute")), b"bad"),
            (member("link", tarfile.SYMTYPE, "/etc/passwd"), b""),
            (member("link/below"), b"still good"),
            (member("hard", tarfile.LNKTYPE, "/etc/passwd"), b""),
            (member("pipe", tarfile.FIFOTYPE), b""),
            (member("._good"), b"junk"),
            (member("good/empty"), b""),
            (member("bell\a"), b"bad"),
        ],
    )
    target = tmp_path / "target"
    target.mkdir()
    left_out = unpack(packed, target)
    assert files(target) == {"good/file": b"good", "link/below": b"still good"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar", "target"]
    assert {each.name: each.reason for each in left_out} == {
        "../outside": "a path that leads elsewhere",
        "good/../../outside": "a path that leads elsewhere",
        str(tmp_path / "absolute"): "a path that leads elsewhere",
        "link": "a link",
        "hard": "a link",
        "pipe": "no regular file",
        "._good": "left by a file manager",
        "good/empty": "empty",
        "bell\a": "a name with control characters, or not in UTF-8",
    }


def test_an_archive_of_too_much_is_refused_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST_BYTES", 1000)
    packed = tar(tmp_path / "a.tar", [(member("file"), bytes(1001))])
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(BadInput, match="unpack it, and import parts of it"):
        unpack(packed, target)
    assert files(target) == {}


def test_a_small_archive_that_unpacks_to_very_much_is_refused_before_it_is_written(
    tmp_path: Path,
) -> None:
    packed = tmp_path / "a.tar.gz"
    huge = member("file")
    huge.size = LIMITS.ratio_from_bytes + 1
    packed.write_bytes(gzip.compress(huge.tobuf()))
    with pytest.raises(BadInput, match="unpack it, and import parts of it"):
        unpack(packed, tmp_path)
    assert set(files(tmp_path)) == {"a.tar.gz"}


def test_blocks_that_unpack_to_megabytes_are_not_copied_for_each_piece(tmp_path: Path) -> None:
    packed = tmp_path / "a.tar.zst"
    content = bytes(LIMITS.ratio_from_bytes // 2)
    packed.write_bytes(
        zstandard.compress(tar(tmp_path / "a.tar", [(member("f"), content)]).read_bytes())
    )
    begun = perf_counter()
    assert unpack(packed, tmp_path / "target") == []
    assert (tmp_path / "target" / "f").read_bytes() == content
    assert perf_counter() - begun < 20


def test_the_same_name_twice_is_bad_input(tmp_path: Path) -> None:
    packed = tar(tmp_path / "a.tar", [(member("file"), b"1"), (member("file"), b"2")])
    target = tmp_path / "target"
    target.mkdir()
    left_out = unpack(packed, target)
    assert files(target) == {"file": b"1"}
    assert [each.reason for each in left_out] == ["a second file of that name"]


def test_archives_are_known_by_their_endings(tmp_path: Path) -> None:
    for ending in PACKED:
        path = tmp_path / f"set.2024{ending}"
        path.write_bytes(b"")
        assert is_packed(path)
        assert plain_name(path) == "set.2024"
    assert not is_packed(tmp_path)
