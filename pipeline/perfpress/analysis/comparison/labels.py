"""Short names for two files or directories, and for steps: what of their names differs."""

import re
from collections.abc import Sequence
from pathlib import PurePath

PARTS = re.compile(r"[^._/ -]+(?:(?<=\d)\.(?=\d)[^._/ -]+)*|[._/ -]+")
"""Words of a name, and what is between them; a number with its decimals, or a version, is one."""

ENDINGS = re.compile(
    r"(?:\.(?:txt|log|out|csv|json|svg|folded|collapsed|pprof|pb|perf|script|stacks|speedscope|raw|data|"
    r"gz|zst|xz))+$"
)
LONGEST = 30
"""Characters of a label."""

PIPE = re.compile(r"/dev/fd/\d+|/proc/self/fd/\d+")
"""What a shell makes of `<(zcat a.txt.gz)`."""


def labels_of(base: str, after: str) -> tuple[str, str]:
    """Return what two paths are called in the answer: what of them differs.

    `before` and `after` of `before.txt` and `after.txt`, `5744` and `8037` of `5744/a.txt` and
    `8037/a.txt`, `pg10` and `pg11` of `x.pg10.c32` and `x.pg11.c32`.
    """
    paths = [_parts(base, "A"), _parts(after, "B")]
    files = [path[-1] for path in paths]
    names = files if files[0] != files[1] else _places(paths)
    if names[0] == names[1]:
        return names[0], f"{names[1]} (2)"
    short = without_common_ends(names)
    return (short[0], short[1]) if all(short) else (names[0], names[1])


def _places(paths: list[list[str]]) -> list[str]:
    """Return where files of one name are: of deep places, the last directory that differs."""
    below = 0
    while below < min(map(len, paths)) and paths[0][-1 - below] == paths[1][-1 - below]:
        below += 1
    whole = ["/".join(path) for path in paths]
    if below == min(map(len, paths)):
        return whole
    short = without_common_ends(whole)
    return [path[-1 - below] for path in paths] if max(map(len, short)) > LONGEST else whole


def without_common_ends(names: Sequence[str]) -> list[str]:
    """Return names without the words that all begin and end with; some may be left empty."""
    words = [PARTS.findall(name) for name in names]
    shortest = min(map(len, words))
    first = 0
    while first < shortest and len({each[first] for each in words}) == 1:
        first += 1
    last = 0
    while last < shortest - first and len({each[-1 - last] for each in words}) == 1:
        last += 1
    return ["".join(each[first : len(each) - last]).strip("._/ -") for each in words]


def _parts(path: str, pipe: str) -> list[str]:
    """Return the parts of a path, the last without its ending."""
    if path == "-" or PIPE.fullmatch(path):
        return ["stdin" if path == "-" else pipe]
    *above, name = [part for part in PurePath(path).parts if part not in (".", "/")] or ["."]
    return [*above, ENDINGS.sub("", name) or name]
