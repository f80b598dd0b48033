"""Reads test name and options from sysbench's command line and from the file name."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perfpress.input.logs.parser import excerpt

OPTION = re.compile(r"--([\w-]+)=(.*)")
# --mysql-password=[redacted password]                   as a secret is taken out of a bundle
REDACTED = re.compile(r"\[redacted [^\]]{0,50}\]")
LONGEST_COMMAND = 10_000

OPTIONS = {
    "table-size": "table size",
    "oltp-table-size": "table size",
    "tables": "tables",
    "oltp-tables-count": "tables",
    "range-size": "range",
    "oltp-range-size": "range",
    "time": "time",
    "max-time": "time",
    "rand-type": "rand type",
}
"""The facts that are kept, by option. Never the whole line: it may hold a password."""

# sb.o.points-covered-si.warm.range100.pk1.dop40
FILE_NAME = re.compile(
    r"sb\.\w+\.(?P<test>[\w.-]{1,100}?)\.range(?P<range>\d+)\.pk\d+(?:\.dop(?P<threads>\d+))?"
    r"(?:\.(?:txt|gz|zst|xz))*$"
)


class FileNameParts(NamedTuple):
    """The parts of a file's name; empty where missing."""

    test: str = ""
    range: str = ""
    threads: str = ""


def command_facts(line: str) -> dict[str, str]:
    """Return the script and the options of a command that runs a test; None for any other line.

    As a shell script may print it before it starts sysbench:

        LUA_PATH=lua/?.lua lua/sysbench --range-size=100 --threads=40 lua/oltp_scan.lua run
        + sysbench oltp_read_write --threads=16 --table-size=1000000 run
        sysbench --test=tests/db/oltp.lua --oltp-table-size=1000000 run            # 0.5
    """
    if "sysbench " not in line:
        return {}
    words = _from_program(REDACTED.sub("", line[:LONGEST_COMMAND]).split())
    options = {
        found[1].replace("_", "-"): found[2] for word in words if (found := OPTION.match(word))
    }
    plain = [word for word in words if not word.startswith("-")]
    if "run" not in plain:
        return {}
    script = options.get("test") or next(word for word in (*plain, "") if word != "run")
    facts = {"script": excerpt(script.rpartition("/")[2].removesuffix(".lua"))}
    for option, name in OPTIONS.items():
        if option in options:
            facts[name] = excerpt(options[option])
    return {name: value for name, value in facts.items() if value}


def _from_program(words: Sequence[str]) -> Sequence[str]:
    """Return the words behind the program's name; none where others than assignments precede."""
    for at, word in enumerate(words):
        if word == "sysbench" or word.endswith("/sysbench"):
            return words[at + 1 :]
        if "=" not in word and word not in ("+", "$", "#"):
            break
    return ()


def name_facts(file: str) -> FileNameParts:
    """Return the parts of the name of a log, as `sb.o.<test>.range<N>.pk1.dop<threads>`."""
    found = FILE_NAME.match(file.rpartition("/")[2])
    return (
        FileNameParts(found["test"], found["range"], found["threads"] or "")
        if found
        else FileNameParts()
    )


def disagreements(facts: Mapping[str, str], named: FileNameParts) -> list[tuple[str, str, str]]:
    """Return what the log and its file's name do not agree in: what, by the log, by the name."""
    pairs = (
        ("threads", facts.get("Number of threads", ""), named.threads),
        ("range", facts.get("range", ""), named.range),
    )
    return [(what, log, name) for what, log, name in pairs if log and name and log != name]
