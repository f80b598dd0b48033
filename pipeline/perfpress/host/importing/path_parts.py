"""Finds out which parts of a file's path are its release, its step and its folder.

<release>/<step>.txt      <release>/<step>/<file>      <release>/<variant>/<step>.txt
<step>/<release>.txt      <step>_<release>.txt         <step>/<release>/out.txt
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from perfpress.host.drafting.pairing import COMPRESSED, stem, subject
from perfpress.host.importing.builds import build_of, named_build

DIGITS = re.compile(r"[0-9]+")
OF_REPEAT = re.compile(r"(?:run|rep|repeat|iter|iteration|round|trial|try)[-_]?[0-9]+")
"""What folders of repeats are called: no step is."""

RELEASE = "{release}"
REPEAT = "{repeat}"
OF_FOLDER = "{axis_folder}/"
"""How patterns begin for files in folders that are variants."""


class Place(NamedTuple):
    """Where a file is in an archive."""

    home: str
    """The directory of the release, or above those of steps."""
    inner: str
    """Its path inside. Where the file is called as the release, or its directory in that of a step
    is, this has `{release}` in its place."""
    release: str = ""
    """What stood there."""


def place(name: str, steps: Collection[str] = ()) -> Place:
    """Return where a file is.

    Args:
        name: of the file.
        steps: directories of a step, with a directory a release.
    """
    *folders, last = name.split("/")
    at = next((at for at, part in enumerate(folders) if is_release_directory(part)), None)
    if at is not None and "/".join(folders[:at]) in steps:
        of_step = (folders[at - 1], RELEASE, *folders[at + 1 :], last)
        return Place("/".join(folders[: at - 1]), "/".join(of_step), folders[at])
    if at is not None:
        return Place("/".join(folders[: at + 1]), "/".join((*folders[at + 1 :], last)))
    called, release = _with_release(last)
    if called:
        # Where nothing else is in the file's name, the step is what its directory is called.
        inside = folders[len(folders) - (0 if _says_step(called, last) else 1) :]
        above = folders[: len(folders) - len(inside)]
        return Place("/".join(above), "/".join((*inside, called)), release)
    return Place("/".join(folders[:1]), "/".join((*folders[1:], last)))


def _with_release(file: str) -> tuple[str, str]:
    """Return a file's name with `{release}` for the one part that is called as one, and that part.

    Both are empty where there is none, or several.

    `pgbench_15.4_ro.log` is `pgbench_{release}_ro.log`; the counter of what pytest-benchmark saves
    says nothing: `0003_v2.5.0.json` is `*_{release}.json`.
    """
    name = stem(file)
    parts = re.split(r"[_-](?!v\d+(?:[_-]|\.\D|$))", name)
    found = [part for part in parts if _is_release(part)]
    # o.pg19b1; numbers between dots may be anything
    found = found or [part for part in name.split(".") if part[0:1].isalpha() and _is_release(part)]
    if len(found) != 1:
        return "", ""
    called = file.replace(found[0], RELEASE, 1)
    return re.sub(rf"^\d{{4}}_(?={RELEASE})", "*_", called), found[0]


def _says_step(called: str, file: str) -> bool:
    """Return whether there is more in a file's name than the release and its program.

    `o.ma.ma110806.txt` says no step.
    """
    name = subject(called)
    return bool(name) and re.search(rf"(?:^|[._-]){re.escape(name)}\d", file) is None


def key(name: str) -> str:
    """Return the path inside the directory of a release that rules are found by."""
    *folders, last = COMPRESSED.sub("", name).split("/")
    if len(folders) > 1 and is_release_directory(folders[1]):
        return "/".join((folders[0], RELEASE, *folders[2:], last))
    return "/".join((*folders, _with_release(last)[0] or last))


def folder_of(inner: str) -> str:
    """Return the folder of a file inside the directory of a release, or of a step's releases."""
    return inner.rpartition("/")[0].removesuffix(f"/{RELEASE}")


def _is_release(part: str) -> bool:
    return build_of(part).version is not None


def is_release_directory(part: str) -> bool:
    """Return whether a directory is called as a release, alone or with a configuration.

    `pg175.x10a_c8r32` is; `5651.insert` may be a step.
    """
    named = named_build(part)
    return named.build.version is not None and (named.config is None or part[:1].isalpha())


def pattern(inner: str, variants: Collection[str] = (), repeat: str = "") -> str:
    """Return a pattern for a file and the others of its sort: where the step stands in its name.

    Args:
        inner: its path below the directory of a release.
        variants: folders there that are no steps.
        repeat: digits that are `{repeat}` in the pattern.
    """
    folder, last = folder_of(inner), inner.rpartition("/")[2]

    def without_digits(text: str) -> str:
        return DIGITS.sub(lambda found: REPEAT if found[0] == repeat else "*", text)

    if folder and folder not in variants:
        return f"{{step}}{inner.rpartition('/')[0].removeprefix(folder)}/{without_digits(last)}"
    name = subject(inner) or stem(inner)
    before, _, after = last.partition(name)
    of_folder = OF_FOLDER if folder else ""
    return f"{of_folder}{without_digits(before)}{{step}}{without_digits(after)}"


def pattern_of_repeats(names: Sequence[str], variants: Collection[str]) -> str:
    """Return a pattern with `{repeat}` for files that differ in one number; else nothing.

    `{step}.{repeat}.txt` for `scan.1.txt` and `scan.2.txt`.
    """
    texts = {tuple(DIGITS.split(name)) for name in names}
    numbers = [DIGITS.findall(name) for name in names]
    different = [at for at, column in enumerate(zip(*numbers, strict=False)) if len({*column}) > 1]
    if len(texts) > 1 or len(different) != 1:
        return ""
    own = numbers[0][different[0]]
    match = pattern(names[0], variants, repeat=own) if numbers[0].count(own) == 1 else ""
    return match if REPEAT in match else ""


def pattern_of_path(name: str) -> str:
    """Return a pattern for the whole path of a file whose directories say nothing known.

    `/*/*/{release}/{step}.txt` of `a/b/c/one.txt`; the release is where a part is called as one.
    """
    *folders, last = name.split("/")
    at = next((at for at, part in enumerate(folders) if is_release_directory(part)), len(folders))
    named = min(at, len(folders) - 1)
    parts = [RELEASE if number == named else "*" for number in range(len(folders))]
    return "/" + "/".join((*parts, pattern(last)))
