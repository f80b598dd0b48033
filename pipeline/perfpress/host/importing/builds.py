"""Reads the name of a build: `my8045_rel_o2nofp` is MySQL 8.0.45, built in the way
`rel_o2nofp`.
"""

import re
from typing import NamedTuple

from perfpress.host.importing.map_file import DirectoryEntry

BUILD_WORDS = re.compile(
    r"(?:rel|release|dbg|debug|withdbg|o[0-3s]\w*|n?o?fp|lto\w*|pgo\w*|native|def|prod|nojit"
    r"|gcc\d*|clang\d*)"
)
"""Parts of a build's name that describe how it was built, not the version."""

VERSIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    # ma100230: two digits each
    (re.compile(r"ma(\d\d)(\d\d)(\d\d)"), "MariaDB {}.{}.{}"),
    # my8045 -> 8.0.45, my5651 -> 5.6.51
    (re.compile(r"my(\d)(\d)(\d\d?)"), "MySQL {}.{}.{}"),
    # pg9624 -> 9.6.24, pg1110 -> 11.10, pg110 -> 11.0, pg18beta1; pg19b1 -> 19beta1
    (re.compile(r"pg(9)([0-6])(\d\d?)"), "PostgreSQL {}.{}.{}"),
    (re.compile(r"pg([1-9]\d)(\d\d?)"), "PostgreSQL {}.{}"),
    (re.compile(r"pg([1-9]\d(?:beta|rc|devel)\d*)"), "PostgreSQL {}"),
    (re.compile(r"pg([1-9]\d)b(\d+)"), "PostgreSQL {}beta{}"),
    # pg96 -> 9.6, pg17 -> 17, postgresql-18 -> 18
    (re.compile(r"pg(9)([0-6])"), "PostgreSQL {}.{}"),
    (re.compile(r"(?:pg|postgres|postgresql)-?([1-8]\d)"), "PostgreSQL {}"),
    # fbmy5635 -> 5.6.35; rx56 -> 5.6
    (re.compile(r"fbmy(\d)(\d)(\d\d?)"), "MyRocks {}.{}.{}"),
    (re.compile(r"rx(\d)(\d)"), "MyRocks {}.{}"),
    # 5651 -> 5.6.51, 8406 -> 8.4.6: a program of these numbers, unnamed
    (re.compile(r"(5(?=[5-7])|8(?=[0-4])|9)(\d)(\d\d)"), "{}.{}.{}"),
)
"""Version scheme of the digits in a build's name."""


# 8.4.5 · v17.2 · mysql-8.0.37 · MariaDB 10.11.6 · 19.1beta2 · v8.4.5-12-g1a2b3c4 · 8.4.5v2 ·
# 8.0.36-28 of Percona; 8.4.5-2 may as well be measured again
DOTTED = re.compile(
    r"(?:(?P<program>[A-Za-z]+)[-_ ]?)?v?"
    r"(?P<number>(?:\d+(?:\.\d+)+(?:[-_.]?(?:alpha|beta|rc|dev|m)\d*)?|\d+(?:alpha|beta|rc)\d+)"
    r"(?:-\d+-g[0-9a-f]{7,40}|-\d\d)?)"
    r"(?:[-_]?(?P<again>v\d+))?"
)
PROGRAMS = {
    "linux": "Linux",
    "mariadb": "MariaDB",
    "mysql": "MySQL",
    "pg": "PostgreSQL",
    "postgres": "PostgreSQL",
    "postgresql": "PostgreSQL",
    "rocksdb": "RocksDB",
}
"""How programs write their names."""


class Build(NamedTuple):
    """The parts of a build's name."""

    release: str
    version: str | None
    """Program and number: MySQL 8.0.45; `None` where the name has no known form."""
    flavour: str | None
    """How it was built."""


# x.pg175_o2nofp.x10a_c8r32.pk1
OF_DIRECTORY = re.compile(r"(?:x\.)?(?P<build>[^.]+)\.(?P<config>.+?)(?:\.pk\d)?", re.DOTALL)
OF_REPEAT = re.compile(r"(.+)[.-]((?:run|rep|repeat|iter|trial|r)[-_]?\d+)", re.DOTALL)
REPEAT = "run"
"""The axis that holds the end of a name that is called as a repeat: nobody says that it is one."""


class NamedBuild(NamedTuple):
    """What the name of a directory of results says."""

    build: Build
    config: str | None = None
    repeat: str = ""
    """`r2` of `x.pg175.x10a_c8r32.pk1.r2`."""

    @property
    def axes(self) -> dict[str, str]:
        """How it was built, and which repeat it seems to be."""
        axes = {"build": self.build.flavour or "", REPEAT: self.repeat}
        return {name: value for name, value in axes.items() if value}


def entry_of(source: str, named: NamedBuild) -> DirectoryEntry:
    """Return what the map says of a directory, where a part of its path says that."""
    return DirectoryEntry(
        source=source,
        release=named.build.release,
        version=named.build.version,
        config=named.config,
        axes=named.axes,
    )


def named_build(name: str) -> NamedBuild:
    """Return what the name of a directory says: `pg175`, `8.4.5.r2` or `pg16beta1.x10b_c8r32`."""
    shorter, repeat = without_repeat(name)
    if _dotted(name) or not (match := OF_DIRECTORY.fullmatch(shorter)):
        build = build_of(shorter)
        is_repeat = repeat and build.version and not _dotted(name)
        return NamedBuild(build, None, repeat) if is_repeat else NamedBuild(build_of(name))
    if _dotted(shorter):
        return NamedBuild(build_of(shorter), None, repeat)
    return NamedBuild(build_of(match["build"]), match["config"], repeat)


def innermost_build(path: str) -> NamedBuild:
    """Return what the last part of a path says that is called as a build of a known version.

    Of `x.pg175_o2nofp.x10a.pk1/host1` that is the first. Where there is none it is the last part.
    """
    *above, last = path.split("/")
    own = named_build(last)
    if own.build.version or last.startswith("x."):
        return own
    found = (named for part in reversed(above) if (named := named_build(part)).build.version)
    return next(found, own)


def without_repeat(name: str) -> tuple[str, str]:
    """Return a name without an end that is called as a repeat, and that end."""
    match = OF_REPEAT.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def build_of(name: str) -> Build:
    """Return the parts of a build's name."""
    if version := _dotted(name):
        return Build(name, version, None)
    parts = name.split("_")
    kept = len(parts)
    while kept > 1 and BUILD_WORDS.fullmatch(parts[kept - 1]):
        kept -= 1
    release, flavour = "_".join(parts[:kept]), "_".join(parts[kept:])
    return Build(release, _version(parts[0], parts[1:kept]), flavour or None)


def _dotted(name: str) -> str | None:
    """Return the version in a name that writes it with dots."""
    match = DOTTED.fullmatch(name)
    if match is None:
        return None
    program = (match["program"] or "").removesuffix("v")
    name = PROGRAMS.get(program.lower(), program)
    return " ".join(filter(None, (name, match["number"], match["again"])))


def _version(program: str, more: list[str]) -> str | None:
    # 8406v2 is 8.4.6, measured or built again.
    if again := re.fullmatch(r"(.*\d)(v\d+)", program):
        program, more = again[1], [again[2], *more]
    for pattern, template in VERSIONS:
        if match := pattern.fullmatch(program):
            numbers = (str(int(each)) if each.isdecimal() else each for each in match.groups())
            return " ".join((template.format(*numbers), *more))
    return None
