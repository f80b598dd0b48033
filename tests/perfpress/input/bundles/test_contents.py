"""Files of a bundle are looked into: secrets, damage, and what unpacks to too much."""

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from bundle_samples import good_bundle, write_files
from perfpress.base.limits import BundleLimits
from perfpress.base.secrets.pieces import LONGEST_LINE, PIECE
from perfpress.input.bundles.contents import check_contents, check_file
from perfpress.input.bundles.read import read_bundle

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zstandard.compress,
    ".xz": lzma.compress,
}


@pytest.fixture(params=sorted(PACKERS))
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], Path]:
    """Return a writer of files, plain or compressed."""

    def write(content: bytes) -> Path:
        path = tmp_path / f"f{request.param}"
        path.write_bytes(PACKERS[request.param](content))
        return path

    return write


def test_a_good_file_is_good(pack: Callable[[bytes], Path]) -> None:
    assert check_file(pack(b"text\n" * 1000), "f") == []


def test_a_secret_is_refused_with_its_line(pack: Callable[[bytes], Path]) -> None:
    (problem,) = check_file(pack(b"a\nb\npassword=1\nPGPASSWORD=2\n"), "f")
    assert str(problem) == (
        "f:3: what looks like a secret: password (and 1 more); expected nothing that must not be "
        "published; write [redacted password] in its place, and change it where it was in use"
    )


def test_secrets_are_found_wherever_pieces_of_the_text_end(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for shift in (-20, -9, 0, 9):
        filler = b"x" * 99 + b"\n"
        lines = (PIECE + shift) // 100
        path.write_bytes(filler * lines + b"y" * ((PIECE + shift) % 100) + b" password=1\nend\n")
        (problem,) = check_file(path, "f")
        assert problem.line == lines + 1


@pytest.mark.parametrize(
    "secret",
    [
        b"mysql -u root \\\n  -phunter2 test\n",
        b"password: >-\n  hunter2\n",
        b"-----BEGIN RSA PRIVATE KEY-----\n" + b"MIIE" * 16 + b"\n-----END RSA PRIVATE KEY-----\n",
    ],
)
def test_a_secret_of_several_lines_is_found_across_pieces(tmp_path: Path, secret: bytes) -> None:
    path = tmp_path / "f"
    for at in range(1, len(secret), 7):
        before = PIECE - at
        path.write_bytes(
            b"x" * 98 + b"\n" + b"y" * (before - 100) + b"\n" + secret + b"end\n" * 9000
        )
        assert len(check_file(path, "f")) == 1


def test_a_secret_across_the_cut_of_a_long_line_is_found(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for at in (3, 12, 20):
        text = b"x" * (LONGEST_LINE - at) + b" --db-password=hunter2 " + b"y" * 50_000
        path.write_bytes(text)
        assert len(check_file(path, "f")) == 1


def test_a_secret_after_bytes_that_are_no_text_is_found(pack: Callable[[bytes], Path]) -> None:
    assert len(check_file(pack(b"\xff\xfe\x00" * 1000 + b"\npassword=1\n"), "f")) == 1


def test_what_unpacks_to_too_much_is_refused(pack: Callable[[bytes], Path]) -> None:
    path = pack(b"0" * 5_000_000)
    limits = BundleLimits(ratio=10, ratio_from_bytes=1_000_000, plain_bytes=4_000_000)
    (problem,) = check_file(path, "f", limits)
    assert problem.found.startswith("unpacks to more than ")
    assert check_file(path, "f", BundleLimits(plain_bytes=5_000_000)) == []


def test_the_ratio_counts_only_for_large_files(tmp_path: Path) -> None:
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000))
    assert check_file(path, "f", BundleLimits(ratio=2)) == []
    assert len(check_file(path, "f", BundleLimits(ratio=2, ratio_from_bytes=900_000))) == 1


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz"])
def test_a_file_that_breaks_off_is_reported_and_kept(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"f{suffix}"
    content = "".join(f"{number * 7919 % 10_007}\n" for number in range(20_000)).encode()
    path.write_bytes(PACKERS[suffix](content)[:-2000])
    (problem,) = check_file(path, "f")
    assert "breaks off" in problem.found
    assert problem.severity == "warning"


@pytest.mark.parametrize(("content", "found"), [(b"plain", "no gzip data"), (b"", "an empty file")])
def test_a_name_that_promises_what_is_not_there_is_refused(
    tmp_path: Path, content: bytes, found: str
) -> None:
    (tmp_path / "f.gz").write_bytes(content)
    (problem,) = check_file(tmp_path / "f.gz", "f.gz")
    assert problem.found == found


def test_all_files_of_a_bundle_are_looked_into(tmp_path: Path) -> None:
    step = {"name": "s", "operation": "o", "command": "x", "logs": ["a.txt"]}
    bundle = good_bundle(tmp_path, {"step": [step]}, {"a.txt": "token\nAPI_KEY=1\n"})
    problems = check_contents(bundle)
    assert [(problem.path, problem.line) for problem in problems] == [("bundle/a.txt", 2)]


def test_a_secret_in_run_toml_is_found_behind_escapes_too(tmp_path: Path) -> None:
    step = {"name": "s", "operation": "o", "command": "x --password=hunter2x", "logs": ["a.txt"]}
    directory = write_files(tmp_path, {"step": [step]}, {"a.txt": "1\n"})
    text = (directory / "run.toml").read_text()
    for written in (text, text.replace("password", "p\\u0061ssword")):
        (directory / "run.toml").write_text(written)
        bundle, problems = read_bundle(directory, "bundle")
        assert bundle is None
        assert [(problem.path, problem.line) for problem in problems] == [("bundle/run.toml", 10)]
        assert "secret" in problems[0].found


def test_a_secret_in_utf_16_is_found_with_its_line(pack: Callable[[bytes], Path]) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (problem,) = check_file(pack("a\nb\npassword=1\n".encode(encoding)), "f")
        assert (problem.line, "password" in problem.found) == (3, True)


def test_a_secret_between_zero_bytes_is_found(pack: Callable[[bytes], Path]) -> None:
    environment = b"HOME=/root\0PGPASSWORD=hunter2\0LANG=C\0"
    assert len(check_file(pack(environment), "f")) == 1


@pytest.mark.parametrize(
    ("inner", "what"),
    [
        (gzip.compress(b"password=1"), "gzip data inside compressed data"),
        (zstandard.compress(b"password=1"), "zstd data inside compressed data"),
        (lzma.compress(b"password=1"), "xz data inside compressed data"),
        (bz2.compress(b"password=1"), "bzip2 data"),
        (b"PK\x03\x04" + b"\0" * 60, "a zip archive"),
        (b"PK\x05\x06" + b"\0" * 18, "a zip archive"),
        (b"\0" * 257 + b"ustar\0", "a tar archive"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive"),
        (b"Rar!\x1a\x07\1\0", "a rar archive"),
        (b"!<arch>\ndebian-binary", "an ar archive"),
        (b"\xed\xab\xee\xdb\3\0", "an rpm package"),
        (b"\x04\x22\x4d\x18\x64", "lz4 data"),
        (b"\x1f\x9d\x90", "data of compress"),
    ],
    ids=[
        *("gzip", "zstd", "xz", "bzip2", "zip", "empty-zip", "tar"),
        *("7z", "rar", "ar", "rpm", "lz4", "compress"),
    ],
)
@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz"])
def test_what_nobody_can_look_into_is_refused(
    tmp_path: Path, inner: bytes, what: str, suffix: str
) -> None:
    path = tmp_path / f"f{suffix}"
    path.write_bytes(PACKERS[suffix](inner))
    (problem,) = check_file(path, "f")
    assert problem.found == f"{what}, which cannot be looked into for secrets"
    assert problem.severity == "error"


@pytest.mark.parametrize("where", ["name", "behind"])
def test_a_secret_beside_compressed_data_is_found(tmp_path: Path, where: str) -> None:
    path = tmp_path / "f.gz"
    with path.open("wb") as file:
        name = "password=hunter2" if where == "name" else ""
        with gzip.GzipFile(name, "wb", fileobj=file) as packed:
            packed.write(os.urandom(10_000))
        file.write(b"\npassword=hunter2\n" if where == "behind" else b"")
    problems = [each for each in check_file(path, "f") if each.severity == "error"]
    assert [each.found for each in problems] == ["what looks like a secret: password"]
    assert "hunter2" not in str(problems)
