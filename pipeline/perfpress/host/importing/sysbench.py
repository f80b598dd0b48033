"""Archives of sysbench runs: a directory a build and configuration, a file a test and kind.

    x.<build>.<config>.pk1/sb.<kind>.<test>.range<N>.pk1.dop<clients>

`x.my8045_rel_o2nofp.z12a_c8r32.pk1/sb.o.point-query.warm.range100.pk1.dop8` is a run of MySQL
8.0.45, its test point-query.warm. The test may run before the writes too: `point-query.pre`.
"""

import re

from perfpress.host.importing.builds import entry_of, innermost_build
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import UNKNOWN, UNLIKE_LOGS, DirectoryEntry, FileRule, Use
from perfpress.host.importing.sysbench_tables import read_sysbench_table

LOGS = {
    "o": "what sysbench printed",
    "met": "its rates, and what the host did for each operation",
    "vm": "vmstat",
    "io": "iostat",
    "time": "/usr/bin/time",
    r"perf\.hw\.[\w-]+": "perf stat",
}
CAPTURES: dict[str, tuple[Use, str]] = {
    r"perf\.g\.(?P<event>[^.]+)": ("capture", "flame graphs, drawn of stacks that are gone"),
    r"perf\.rep\.g": ("second-hand capture", "perf report with callers"),
    r"perf\.rep\.f": ("second-hand capture", "perf report, flat"),
}
COMPUTED = "computed from what sysbench printed"
LEFT_OUT = {
    r"r\.(?:trx|qps|rtavg|rtmax|rt95)": COMPUTED,
    r"perf\.hw\.[\w-]+\.(?:raw|sorted)": "the same counters as in the file without that ending",
    r"perf\.last": "the last perf report again",
    r"prepare\.[\w-]+": "of loading, which is no test",
}
WITHOUT_NAMES = re.compile(r"qps\.(?:abs|rel)\..+\.csv")
LOG_ENDINGS = ("", ".txt", ".log")
SETTINGS = re.compile(r"my\.cnf|conf\.diff|o\.ini|cmdline|postgresql\.conf|o\.pg\.conf")

FILE = re.compile(
    r"sb\.(?P<kind>[\w.:,-]+?)\.(?P<test>[^./]+(?:\.(?:pre|warm|warmpre|post))?)"
    r"\.range(?P<range>\d+)\.(?P<pk>pk\d)(?P<rest>(?:\.[^/]*)?)"
)
ENDING = re.compile(r"(?P<dop>\.dop\d+)?(?P<sample>\.\d+|\.all)?(?P<type>(?:\.[a-z]\w*)*)")
COMPRESSED = re.compile(r"\.(?:gz|zst|xz)$")


def home(name: str) -> str | None:
    """Return the directory of a file that is called as one of a test."""
    directory, _, last = name.rpartition("/")
    return directory if FILE.fullmatch(last) else None


def rule(name: str) -> FileRule | None:
    """Return the rule for a file and the others of its sort."""
    plain = COMPRESSED.sub("", name)
    if SETTINGS.fullmatch(plain):
        return FileRule(match=plain, use="attachment")
    if WITHOUT_NAMES.fullmatch(plain):
        reason = "a table whose columns have no names; the .tsv beside it has"
        return FileRule(match=plain, use="leave out", because=reason)
    found = FILE.fullmatch(plain)
    ending = found and ENDING.fullmatch(found["rest"])
    if not found or not ending:
        return None
    use, because, event = _use(found["kind"], ending)
    kind = "perf.g.{event}" if event else found["kind"]
    pattern = f"sb.{kind}.{{test}}.range{{range}}.{found['pk']}"
    pattern += ".dop{clients}" if ending["dop"] else ""
    if ending["sample"]:
        pattern += ".all" if ending["sample"] == ".all" else ".*"
    return FileRule(match=pattern + ending["type"], use=use, because=because)


def _use(kind: str, ending: re.Match[str]) -> tuple[Use, str, bool]:
    """Return how a kind of file is used, why, and whether its name holds an event."""
    whole = kind + ending["type"]
    for pattern, reason in LEFT_OUT.items():
        if re.fullmatch(pattern, whole):
            return "leave out", reason, False
    for pattern, (use, what) in CAPTURES.items():
        if match := re.fullmatch(pattern, kind):
            event = "event" in match.groupdict()
            if ending["sample"] == ".all":
                return "second-hand capture", "all samples of the step in one", event
            return use, what, event
    for pattern, what in LOGS.items():
        if re.fullmatch(pattern, kind) and ending["type"] in LOG_ENDINGS:
            return "log", what, False
        if re.fullmatch(pattern, kind):
            return "leave out", UNLIKE_LOGS.format(what), False
    return "leave out", UNKNOWN, False


def entry(name: str) -> DirectoryEntry:
    """Return the facts in the name of a directory, or of one above it."""
    return entry_of(name, innermost_build(name))


def group(step: str) -> str:
    """Return the group of a test, as this benchmark's author sorts them.

    Source: bench/sysbench.lua of github.com/mdcallag/mytools, where files are chosen by `point`,
    `delete|insert|update|write`, and what is left.
    """
    test = step.split(" ")[0]
    if "warm" in test:
        return "Warm-up"
    if "point" in test:
        return "Point queries"
    if re.search("delete|insert|update|write", test):
        return "Writes"
    return "Range queries"


KIND = ArchiveKind(
    name="sysbench",
    benchmark="sysbench",
    home=home,
    rule=rule,
    entry=entry,
    step="{test} range={range}",
    operations={"*": "transaction"},
    logs=tuple(LOGS.values()),
    groups=group,
    read_table=read_sysbench_table,
    expected="directories such as x.my8045_rel.z12a.pk1 with files such as "
    "sb.o.point-query.range100.pk1.dop40",
)
