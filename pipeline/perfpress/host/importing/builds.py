"""Reads the name of a build: `my8045_rel_o2nofp` is MySQL 8.0.45, built in the way
`rel_o2nofp`.
"""

import re
from typing import NamedTuple

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
    # fbmy5635 -> 5.6.35; rx56 -> 5.6
    (re.compile(r"fbmy(\d)(\d)(\d\d?)"), "MyRocks {}.{}.{}"),
    (re.compile(r"rx(\d)(\d)"), "MyRocks {}.{}"),
    # 5651 -> 5.6.51, 8406 -> 8.4.6: a program of these numbers, unnamed
    (re.compile(r"(5(?=[5-7])|8(?=[0-4])|9)(\d)(\d\d)"), "{}.{}.{}"),
)
"""Version scheme of the digits in a build's name."""


# 8.4.5 · v17.2 · mysql-8.0.37 · MariaDB 10.11.6 · 19.1beta2 · v8.4.5-12-g1a2b3c4 · 8.4.5v2
DOTTED = re.compile(
    r"(?:(?P<program>[A-Za-z]+)[-_ ]?)?v?"
    r"(?P<number>\d+(?:\.\d+)+(?:[-_.]?(?:alpha|beta|rc|dev|m)\d*)?(?:-\d+-g[0-9a-f]{7,40})?)"
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
