"""Files of a bundle are looked into: secrets, damage, and what unpacks to too much."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from bundle_samples import good_bundle, write_files

from pipeline.bundle.contents import check_contents, check_file
from pipeline.bundle.read import read_bundle
from pipeline.bundle.safety import Limits
from pipeline.bundle.text_pieces import PIECE

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


def test_a_secret_after_bytes_that_are_no_text_is_found(pack: Callable[[bytes], Path]) -> None:
    assert len(check_file(pack(b"\xff\xfe\x00" * 1000 + b"\npassword=1\n"), "f")) == 1


def test_what_unpacks_to_too_much_is_refused(pack: Callable[[bytes], Path]) -> None:
    path = pack(b"0" * 5_000_000)
    limits = Limits(ratio=10, ratio_from_bytes=1_000_000, plain_bytes=4_000_000)
    (problem,) = check_file(path, "f", limits)
    assert problem.found.startswith("unpacks to more than ")
    assert check_file(path, "f", Limits(plain_bytes=5_000_000)) == []


def test_the_ratio_counts_only_for_large_files(tmp_path: Path) -> None:
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000))
    assert check_file(path, "f", Limits(ratio=2)) == []
    assert len(check_file(path, "f", Limits(ratio=2, ratio_from_bytes=900_000))) == 1


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz"])
def test_a_file_that_breaks_off_is_told_and_kept(tmp_path: Path, suffix: str) -> None:
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
