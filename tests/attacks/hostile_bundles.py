"""Bundles that must be refused: what each does to a good bundle, and the expected message."""

import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

import zstandard
from bundle_samples import FILES, write_files

Damage = Callable[[Path], None]


class Attack(NamedTuple):
    """One way to be hostile."""

    name: str
    damage: Damage
    """Changes a good bundle."""
    message: str
    """Part of the message."""
    in_git: str | None = ""
    """Part of the message on a branch, if another; `None` where git cannot hold it."""
    in_store: str | None = ""
    """The same of an object store."""


def write_bundle(attack: Attack, directory: Path) -> Path:
    """Write a bundle whose report and host are called as the attack is."""
    write_files(directory, {"report": attack.name, "host": attack.name}, FILES)
    attack.damage(directory)
    return directory


def holding(files: Mapping[str, bytes]) -> Damage:
    """Add files, or put others in their place."""

    def damage(directory: Path) -> None:
        for name, content in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    return damage


def saying(text: str) -> Damage:
    """Add lines to the top of run.toml."""

    def damage(directory: Path) -> None:
        run = directory / "run.toml"
        run.write_text(f"{text}\n{run.read_text()}")

    return damage


def step_saying(text: str) -> Damage:
    """Add lines to the only step of run.toml."""

    def damage(directory: Path) -> None:
        with (directory / "run.toml").open("a") as file:
            file.write(f"\n{text}\n")

    return damage


def renaming(old: str, new: str) -> Damage:
    """Say something else in run.toml."""

    def damage(directory: Path) -> None:
        run = directory / "run.toml"
        assert old in run.read_text()
        run.write_text(run.read_text().replace(old, new, 1))

    return damage


def link(name: str, target: str) -> Damage:
    """Put a symbolic link there."""

    def damage(directory: Path) -> None:
        (directory / name).unlink(missing_ok=True)
        (directory / name).symlink_to(target)

    return damage


def hard_link(directory: Path) -> None:
    """Put a second name for a file elsewhere there."""
    secret = directory.parent / f"{directory.name}-elsewhere"
    secret.write_text("another's\n")
    (directory / "inner.txt").hardlink_to(secret)


def pipe(name: str) -> Damage:
    """Put a pipe there: who reads it waits for ever."""

    def damage(directory: Path) -> None:
        (directory / name).unlink(missing_ok=True)
        os.mkfifo(directory / name)

    return damage


def socket_file(directory: Path) -> None:
    """Put a socket there; its address may not be long, so it is bound from within."""
    script = "import socket; socket.socket(socket.AF_UNIX).bind('listening')"
    subprocess.run([sys.executable, "-c", script], cwd=directory, check=True)


def device(directory: Path) -> None:
    """Put a device there, or a pipe where nobody may make devices."""
    try:
        os.mknod(directory / "zero", 0o020666, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(directory / "zero")


def sparse(size: int) -> Damage:
    """Add a file that is large and takes no room."""

    def damage(directory: Path) -> None:
        with (directory / "large.txt").open("wb") as file:
            file.truncate(size)

    return damage


def bomb(name: str, pack: Callable[[], bytes]) -> Damage:
    """Put a file there that unpacks to more than it may; it is packed once."""
    packed = cache(pack)

    def damage(directory: Path) -> None:
        (directory / name).write_bytes(packed())

    return damage


def many_files(directory: Path) -> None:
    """Add one file more than there may be."""
    (directory / "many").mkdir()
    for number in range(20_001):
        (directory / "many" / str(number)).touch()


def started(when: datetime) -> Damage:
    """Say when the run began."""
    return saying(f"started = {when.replace(microsecond=0).isoformat()}")


ZEROS = bytes(80_000_000)
FUTURE = datetime.now(UTC) + timedelta(days=3)
NAMES = "differ only in case or Unicode form"
UNSEEN = "a name with control characters, or not in UTF-8"
LIED = "is no regular file"
TOO_MUCH = "unpacks to more than"
NAMED = "names a file that no bundle has"
LINKED = "no regular file"
MISSING = "the object store says: "
CLIMBS, ABSOLUTE = "climbs out of the bundle", "is an absolute path"

PATHS = (
    Attack("path-climbs", renaming("select.txt", "../../../etc/passwd"), CLIMBS),
    Attack("path-climbs-inside", renaming("select.txt", "a/../../select.txt"), CLIMBS),
    Attack("path-absolute", renaming("select.txt", "/etc/passwd"), ABSOLUTE),
    Attack("path-home", renaming("select.txt", "~/.ssh/id_rsa"), ABSOLUTE),
    Attack("path-drive", renaming("select.txt", "C:/secret.txt"), ABSOLUTE),
    Attack("path-backslash", renaming("select.txt", "..\\\\..\\\\x"), "holds a backslash"),
    Attack("path-address", renaming("select.txt", "file:///etc/passwd"), "has an empty part"),
    Attack("path-of-captures", step_saying('captures = ["../*/perf.*"]'), CLIMBS),
    Attack("path-of-attachments", saying('attachments = ["/proc/self/environ"]'), ABSOLUTE),
    Attack("path-of-match", step_saying('match = "../{x}"'), CLIMBS),
    Attack("path-of-formats", step_saying('formats = {"../../x" = "pgbench"}'), CLIMBS),
)

LINKS = (
    Attack("link-to-file", link("passwd", "/etc/passwd"), "a symbolic link", LINKED, LIED),
    Attack("link-to-directory", link("etc", "/etc"), "a symbolic link", LINKED, LIED),
    Attack("link-to-nothing", link("nothing", "nowhere"), "a symbolic link", LINKED, MISSING),
    Attack("link-to-itself", link("loop", "loop"), "a symbolic link", LINKED, MISSING),
    Attack("link-upwards", link("up", "../.."), "a symbolic link", LINKED, LIED),
    Attack("link-for-run-toml", link("run.toml", "/etc/hostname"), "a symbolic link", LINKED, LIED),
    Attack("link-for-log", link("select.txt", "/dev/zero"), "a symbolic link", LINKED, LIED),
    Attack("hard-link", hard_link, "a hard link", in_git=None, in_store=None),
)

DEVICES = (
    Attack("pipe", pipe("pipe"), "a pipe", in_git=None, in_store=None),
    Attack("pipe-for-run-toml", pipe("run.toml"), "a pipe", in_git=None, in_store=None),
    Attack("socket", socket_file, "a socket", in_git=None, in_store=None),
    Attack("device", device, "/zero: a ", in_git=None, in_store=None),
)

FILE_NAMES = (
    Attack("name-case", holding({"Log.txt": b"x", "log.TXT": b"y"}), NAMES),
    Attack("name-case-of-directory", holding({"Logs/x": b"x", "logs/X": b"y"}), NAMES),
    Attack("name-composed", holding({"caf\u00e9": b"x", "cafe\u0301": b"y"}), NAMES),
    Attack("name-full-width", holding({"\uff41.txt": b"x", "a.txt": b"y"}), NAMES),
    Attack("name-ligature", holding({"\ufb01le": b"x", "file": b"y"}), NAMES),
    Attack("name-long-s", holding({"\u017folo": b"x", "solo": b"y"}), NAMES),
    Attack("name-run-toml-again", holding({"RUN.TOML": b"schema = 1"}), NAMES),
    Attack("name-line-break", holding({"a\nb": b"x"}), UNSEEN, in_store=NAMED),
    Attack("name-escape", holding({"\x1b[2J": b"x"}), UNSEEN, in_store=NAMED),
    Attack("name-right-to-left", holding({"a\u202etxt.exe": b"x"}), UNSEEN, in_store=NAMED),
    Attack("name-zero-width", holding({"a\u200bb": b"x"}), UNSEEN, in_store=NAMED),
    Attack(
        "name-no-utf-8",
        holding({os.fsdecode(b"\xff"): b"x"}),
        UNSEEN,
        "a name not in UTF-8",
        in_store=None,
    ),
    Attack("name-option", holding({"-rf": b"x"}), "begins with a dot, a dash", in_store=NAMED),
    Attack("name-hidden", holding({".gitattributes": b"x"}), "begins with a dot", in_store=NAMED),
    Attack("name-backslash", holding({"a\\b": b"x"}), "a backslash", in_store="a backslash"),
    Attack("name-long", holding({"x" * 201: b"x"}), "a name of 201 bytes", in_store=NAMED),
    Attack("name-ends-in-dot", holding({"log.": b"x"}), "ends in a dot", in_store=NAMED),
    Attack("deep", holding({"d/" * 11 + "x": b"x"}), "more than 9 directories", in_store=NAMED),
)

SIZES = (
    Attack("bomb-gzip", bomb("select.txt", lambda: gzip.compress(ZEROS)), TOO_MUCH),
    Attack("bomb-zstd", bomb("select.txt", lambda: zstandard.compress(ZEROS)), TOO_MUCH),
    Attack("bomb-xz", bomb("select.txt", lambda: lzma.compress(ZEROS, preset=0)), TOO_MUCH),
    Attack(
        "bomb-of-many-parts",
        bomb("select.txt", lambda: gzip.compress(bytes(1_000_000)) * 80),
        TOO_MUCH,
    ),
    Attack(
        "bomb-in-a-bomb",
        bomb("select.txt.gz", lambda: gzip.compress(gzip.compress(ZEROS))),
        "gzip data inside compressed data",
    ),
    Attack("archive-zip", holding({"select.txt": b"PK\x03\x04" + bytes(60)}), "a zip archive"),
    Attack(
        "archive-tar",
        holding({"logs.tar.gz": gzip.compress(bytes(257) + b"ustar\x0000" + bytes(248))}),
        "a tar archive",
    ),
    Attack("misnamed", holding({"select.txt.gz": b"plain"}), "no gzip data; expected gzip data"),
    Attack("large-file", sparse(96_000_000), "96 MB; expected at most 95 MB", None, None),
    Attack("huge-file", sparse(20_000_000_000), "20000 MB; expected at most 95 MB", None, None),
    Attack(
        "many-files",
        many_files,
        "more than 20000 files",
        "20003 files; expected a smaller bundle",
        "than a bundle may hold (20003 files)",
    ),
)

TOML = (
    Attack("toml-large", saying("#" * 1_000_001), "expected at most 1000000"),
    Attack(
        "toml-many-keys",
        saying("\n".join(f"k{number} = 1" for number in range(70_000))),
        "69980 more problems",
    ),
    Attack("toml-long-key", saying("a." * 100_000 + "a = 1"), "more than 50 tables or lists"),
    Attack("toml-deep-arrays", saying("x = " + "[" * 100_000), "more than 50 tables or lists"),
    Attack("toml-deep-tables", saying("x = " + "{a=" * 100_000), "more than 50 tables or lists"),
    Attack("toml-long-text", renaming('"18"', f'"{"x" * 900_000}"'), "of at most 200 characters"),
    Attack("toml-long-number", saying(f"clients = {'9' * 5000}"), "a number that is too long"),
    Attack(
        "toml-many-steps",
        step_saying('[[step]]\nname = "x"\noperation = "x"\n' * 2_001),
        "expected at most 2000",
    ),
    Attack("toml-no-utf-8", holding({"run.toml": b'host = "\xff"'}), "is no UTF-8"),
    Attack("toml-zero-byte", holding({"run.toml": b'host = "a\0b"'}), "run.toml:1: "),
    Attack("toml-long-pattern", step_saying(f'captures = ["{"*a" * 999}"]'), "a pattern of 1998"),
    Attack("toml-escape", saying('config = "\\u001b]0;x\\u0007"'), "control character U+001B"),
    Attack("toml-bidi", saying('config = "x\\u202ey"'), "control character U+202E"),
    Attack("toml-escape-in-a-key", saying('axes = {"\\u0000" = "x"}'), "control character U+0000"),
)

CLOCKS = (
    Attack("clock-ahead", started(FUTURE), "expected a time that has been"),
    Attack(
        "clock-of-the-far-future", saying("started = 9999-12-31T23:59:59Z"), "a date of this age"
    ),
    Attack(
        "clock-before-computers", saying("started = 1066-10-14T09:00:00Z"), "a date of this age"
    ),
    Attack("clock-without-zone", saying("started = 2026-01-01T00:00:00"), "with its offset"),
)

SECRETS = (
    Attack(
        "secret-in-a-log",
        holding({"select.txt": b"\nmysql --password=hunter2\n"}),
        "select.txt:2: what looks like a secret: password",
    ),
    Attack(
        "secret-in-a-packed-log",
        holding({"select.txt": lzma.compress(b"machine x login y password hunter2\n")}),
        "select.txt:1: what looks like a secret: password",
    ),
    Attack(
        "secret-in-run-toml",
        step_saying('command = "x --pass\\u0077ord=hunter2"'),
        "a secret (password)",
    ),
    Attack(
        "secret-in-what-is-refused", saying('work = "--password=hunter2"'), "unknown key `work`"
    ),
    Attack(
        "secret-in-a-name",
        holding({"curl --password=hunter2": b"x"}),
        "curl --password=[redacted password]: a name with what looks like a secret: password",
        in_store=NAMED,
    ),
    Attack(
        "secret-in-the-name-of-a-directory",
        holding({"password=hunter2/x": b"x"}),
        "a name with what looks like a secret: password",
        in_store=NAMED,
    ),
    Attack(
        "secret-in-utf-16",
        holding({"select.txt": "\n\npassword: hunter2\n".encode("utf-16")}),
        "select.txt:3: what looks like a secret: password",
    ),
)

ATTACKS = (*PATHS, *LINKS, *DEVICES, *FILE_NAMES, *SIZES, *TOML, *CLOCKS, *SECRETS)
