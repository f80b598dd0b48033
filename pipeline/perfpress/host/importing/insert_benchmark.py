"""Archives of the Insert Benchmark: directories a step, or only their summaries.

    <dop>u.1t<yes|no>/<rows>.<build>.<config>/<step>/o.<kind>.dop<clients>[.<client>]
    <rows>/o.sum.t.<rows>.<build>.<config>

`8u.1tno/800m.my8408_rel_o2nofp.cz12a_c8r32/l.i1/o.res.dop8` is step l.i1 of MySQL 8.4.8 with eight
clients, one table each. A summary has a line for each step of a run.
"""

import re

from msgspec.structs import replace

from perfpress.host.drafting.pairing import is_diff
from perfpress.host.importing.builds import (
    NamedBuild,
    build_of,
    entry_of,
    innermost_build,
    without_repeat,
)
from perfpress.host.importing.flame_graphs import DIFFS
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import UNKNOWN, UNLIKE_LOGS, DirectoryEntry, FileRule, Use
from perfpress.host.importing.merged_summaries import read_merged
from perfpress.input.logs.insert_benchmark_steps import LOADS, step_called

LOGS = {
    "res": "summary of the step",
    "vm": "vmstat",
    "io": "iostat",
    r"perf\.hw": "perf stat",
    "ib": "what each client printed",
}
OF_STEP = re.compile(
    r"(?P<step>[^/]+)/o\.(?P<kind>[\w.:,-]+?)(?P<dop>\.dop\d+|(?=\.all\.svg$))(?P<rest>(?:\.[^/]*)?)"
)
SUMMARY = re.compile(r"o\.sum\.t\.(?P<rows>\d+[kmb])\.(?P<build>[^./]+)\.(?P<config>[^/]+)")
TABLE = re.compile(r"(?:mrg|rel)\.[^/]+")
RUN = re.compile(r"(?P<rows>\d+[kmb])\.(?P<build>[^.]+)\.(?P<config>.+)")
USERS = re.compile(r"(?P<clients>\d+)u(?:\.1t(?P<one>yes|no))?")
# 20k.1thr
SIZE = re.compile(r"(?P<rows>\d+[kmb])(?:\.(?P<clients>\d+)(?:thr|t|u))?")
SETTINGS = re.compile(r"(?:[^/]+/)?(?:my\.cnf|o\.ini|conf\.diff|o\.pg\.conf|postgresql\.conf)")
COMPRESSED = re.compile(r"\.(?:gz|zst|xz)$")


def home(name: str) -> str | None:
    """Return the directory of a run, or a summary, which is all there is of its run."""
    directory, _, last = name.rpartition("/")
    if SUMMARY.fullmatch(last):
        return name
    run, _, step = directory.rpartition("/")
    return run if step_called(step) and OF_STEP.fullmatch(f"{step}/{last}") else None


def rule(name: str) -> FileRule | None:
    """Return the rule for a file and the others of its sort."""
    plain = COMPRESSED.sub("", name)
    if SUMMARY.fullmatch(plain):
        return FileRule(match="o.sum.t.*", use="log", because="one line for each step")
    if TABLE.fullmatch(plain):
        reason = "a table made from the summaries"
        return FileRule(match=plain, use="leave out", because=reason)
    if is_diff(plain):
        return DIFFS[0]
    if SETTINGS.fullmatch(plain):
        return FileRule(match=plain, use="attachment")
    found = OF_STEP.fullmatch(plain)
    if found is None:
        return None
    if not step_called(found["step"]):
        reason = "of no step that is known"
        return FileRule(match=f"{found['step']}/*", use="leave out", because=reason)
    kind, rest = found["kind"], found["rest"]
    dop = ".dop{clients}" if found["dop"] else ""
    for pattern, what in LOGS.items():
        if re.fullmatch(pattern, kind) and re.fullmatch(r"(?:\.\d+)?", rest):
            ending = ".*" if rest else ""
            return _rule(f"o.{kind}{dop}{ending}", "log", what)
        if re.fullmatch(pattern, kind):
            return _rule(f"o.{kind}{dop}{rest}", "leave out", UNLIKE_LOGS.format(what))
    if drawn := re.fullmatch(r"perf\.g(?P<event>\.[^.]+)?", kind):
        event = ".{event}" if drawn["event"] else ""
        if rest == ".all.svg":
            of_all = "all samples of the step in one"
            return _rule(f"o.perf.g{event}{dop}.all.svg", "second-hand capture", of_all)
        if re.fullmatch(r"\.\d+\.svg", rest):
            of_one = "flame graphs, drawn of stacks that are gone"
            return _rule(f"o.perf.g{event}{dop}.*.svg", "capture", of_one)
    ending = ".*" if rest else ""
    return _rule(f"o.{kind}{dop}{ending}", "leave out", UNKNOWN)


def names_event(name: str) -> bool:
    """Return whether captures of that name say what was sampled, or no capture has that name."""
    found = rule(name)
    return found is None or "capture" not in found.use or "{event}" in found.match


def _rule(file: str, use: Use, because: str) -> FileRule:
    return FileRule(match=f"{{step}}/{file}", use=use, because=because)


def entry(name: str) -> DirectoryEntry:
    """Return the facts in the name of a directory or summary, and of those above it."""
    *above, last = name.split("/")
    runs = (found for each in reversed((*above, last)) if (found := RUN.fullmatch(each)))
    match = SUMMARY.fullmatch(COMPRESSED.sub("", last)) or next(runs, None)
    if match is None:
        named = innermost_build(name)
    else:
        config, repeat = without_repeat(match["config"])
        named = NamedBuild(build_of(match["build"]), config, repeat)
    size = next((found for each in reversed(above) if (found := SIZE.fullmatch(each))), None)
    rows = match["rows"] if match else size and size["rows"]
    users = next((found for each in above if (found := USERS.fullmatch(each))), None)
    one = {"one_table": users["one"]} if users and users["one"] else {}
    clients = (users or (size if match is None else None) or {"clients": None})["clients"]
    return replace(
        entry_of(name, named),
        clients=int(clients) if clients else None,
        axes=({"rows": rows} if rows else {}) | named.axes | one,
    )


def place(step: str) -> int:
    """Return a sort key: loads as they were run, before the steps with queries."""
    return list(LOADS).index(step) if step in LOADS else len(LOADS)


def group(step: str) -> str | None:
    """Return the group of a step."""
    if step in LOADS:
        return "Loads and writes"
    return "Queries during writes" if step_called(step) else None


KIND = ArchiveKind(
    name="ibench",
    benchmark="insert-benchmark",
    home=home,
    rule=rule,
    entry=entry,
    step="{step}",
    asks=("event",),
    names_event=names_event,
    logs=("one line for each step", *LOGS.values()),
    operations={"l.x": "row", "l*": "insert", "*": "query"},
    groups=group,
    place=place,
    read_table=read_merged,
    expected="directories such as 800m.my8408_rel.cz12a with steps such as l.i1/o.res.dop8, or "
    "summaries such as o.sum.t.800m.my8408_rel.cz12a",
)
