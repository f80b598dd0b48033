"""Archives of which only flame graphs are left: a directory a release, in it one a step.

<release>/<step>/flamegraph.svg.gz      <release>/<step>.svg

Or a directory a step, in it a file a release: `insert/5651.insert.svg`, `sp0/o.ma.ma110806.svg`.
"""

import re

from perfpress.host.importing.builds import NamedBuild, build_of, entry_of
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import DirectoryEntry, FileRule

COMPRESSED = re.compile(r"\.(?:gz|zst|xz)$")
STACKS = re.compile(r"[^/]+\.(?:folded|svg|pb|pprof)")
OF_ANY_STEP = re.compile(
    r"flame-?graph|flame|stacks|profile|perf|all|on-?cpu|cpu|cycles|\d+|diff.*"
)
"""What a file is called that is in the directory of its step."""

DIFFS = tuple(
    FileRule(match=match, use="leave out", because="drawn of two releases; diffs are made anew")
    for match in ("{step}/*diff*.svg", "*diff*.svg")
)


def home(name: str) -> str | None:
    """Return the directory of the release that a file is of."""
    plain = COMPRESSED.sub("", name)
    directory, _, last = plain.rpartition("/")
    if not STACKS.fullmatch(last):
        return None
    is_of_step = _is_of_any_step(last) or _release_in(directory.rpartition("/")[2], last)
    return directory.rpartition("/")[0] if directory and is_of_step else directory


def _is_of_any_step(file: str) -> bool:
    return all(OF_ANY_STEP.fullmatch(part.lower()) for part in file.split(".")[:-1])


def _release_in(directory: str, file: str) -> str | None:
    """Return a pattern for a file that is called as a release, in a directory that is not."""
    *parts, ending = file.split(".")
    at = [number for number, part in enumerate(parts) if build_of(part).version]
    if len(at) != 1 or build_of(directory).version:
        return None
    before, after = parts[: at[0]], parts[at[0] + 1 :]
    if not directory:
        return ".".join([*before, "{release}", "{step}", ending]) if after else None
    return "/".join(["{step}", ".".join([*before, "{release}", *("*" for _ in after[:1]), ending])])


def names_event(name: str) -> bool:
    """Return whether captures of that name say what was sampled, or no capture has that name."""
    plain = COMPRESSED.sub("", name)
    return not plain.endswith((".svg", ".folded"))


def rule(name: str) -> FileRule | None:
    """Return the rule for a file and the others of its sort."""
    plain = COMPRESSED.sub("", name)
    directory, _, last = plain.rpartition("/")
    if "/" in directory or not STACKS.fullmatch(last):
        return None
    ending = last.rpartition(".")[2]
    if "diff" in last and ending == "svg":
        return DIFFS[0] if directory else DIFFS[1]
    match = _release_in(directory, last)
    match = match or (f"{{step}}/*.{ending}" if directory else f"{{step}}.{ending}")
    if ending == "svg":
        return FileRule(match=match, use="second-hand capture", because="flame graphs")
    return FileRule(match=match, use="capture", because="stacks")


def entry(name: str) -> DirectoryEntry:
    """Return the facts in a directory's name."""
    return entry_of(name, NamedBuild(build_of(name.rsplit("/", 1)[-1])))


KIND = ArchiveKind(
    name="svg",
    benchmark="",
    home=home,
    rule=rule,
    entry=entry,
    step="{step}",
    asks=("event", "work"),
    names_event=names_event,
    always=DIFFS,
    operations={"l.x": "row", "l*": "insert", "q*": "query", "*": "operation"},
    groups=lambda _: None,
    expected="flame graphs at <release>/<step>/flamegraph.svg or <release>/<step>.svg",
)
