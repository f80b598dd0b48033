"""Reads the table of `openssl speed`, or the lines of `-mr`.

An operation is one call: on a block of so many bytes, a signature, a verification.
"""

import re
from collections.abc import Iterable, Sequence

from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading

# type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
SIZES = re.compile(r"type((?: +\d{1,12} bytes)+)\s*$")
SIZE = re.compile(r"(\d+) bytes")
# sha256          142403.90k   470488.15k  1094227.48k  1673129.77k  1927663.83k  2027225.09k
BLOCK_RATE = re.compile(r"\d{1,18}\.\d{1,9}k")
#                              sign    verify    sign/s verify/s
PER_SECOND = "/s"
#  256 bits ecdsa (nistp256)   0.0000s   0.0001s  56585.4  18048.7
KEY_TIME = re.compile(r"\d{1,9}\.\d{1,9}s")
KEY_RATE = re.compile(r"\d{1,18}(?:\.\d{1,9})?")
# +H:1024 · Got: +H:16:64:256 from 0, of each process of -multi, whose heading has no sizes
MACHINE_SIZES = re.compile(r"(?:Got: )?\+H((?::\d{1,12})+)(?: from \d+)?$")
# +F:6:sha256:1661383111.11
MACHINE_ROW = re.compile(r"\+F:\d+:([^:]+)((?::\d{1,18}\.\d+)+)$")
# version: 3.0.19 · OpenSSL 1.1.1n  15 Mar 2022
VERSION = re.compile(r"(?:version: |OpenSSL )(\d\S*)")
# Doing sha256 for 1s on 1024 size blocks: 384081 sha256's in 0.23s
DOING = re.compile(r"Doing \S")

# the heading of keys: `sign    verify    sign/s verify/s`, `op      op/s`
KEYS = re.compile(r" +(?:sign +verify +sign/s verify/s|op +op/s)\s*$")

SIGNATURE = re.compile(
    f"{SIZES.pattern}|{MACHINE_SIZES.pattern}|{KEYS.pattern}|Doing \\S.* for \\d+s[ :]"
)
THOUSAND = 1000.0
"""Bytes that the k of a number means."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the algorithms, `sha256 1024 bytes` and `rsa 2048 bits sign`."""
    notes = Notes("openssl-speed", file)
    sizes: Sequence[str] = ()
    names: Sequence[str] = ()
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if found := SIZES.match(line):
            sizes = SIZE.findall(found[1])
        elif found := MACHINE_SIZES.match(line):
            sizes = found[1].split(":")[1:]
        elif words and words[-1].endswith(PER_SECOND) and line.startswith(" "):
            names = [each.removesuffix(PER_SECOND) for each in words if each.endswith(PER_SECOND)]
        elif found := MACHINE_ROW.match(line):
            rates = [float(text) for text in found[2].split(":")[1:]]
            _note_blocks(notes, found[1], sizes, rates, number)
        elif rates := [
            float(each.removesuffix("k")) * THOUSAND for each in words if BLOCK_RATE.fullmatch(each)
        ]:
            _note_blocks(notes, " ".join(words[: -len(rates)]), sizes, rates, number)
        elif names and any(map(KEY_TIME.fullmatch, words)):
            _note_keys(notes, names, words, number)
        elif found := VERSION.match(line):
            notes.facts["OpenSSL"] = found[1]
        else:
            reason = "progress" if DOING.match(line) else "line that is no result"
            notes.skip(reason, number)
    if not notes.benchmarks:
        notes.break_off(
            found="no row of the table of results",
            expected="the whole output of openssl speed",
            do="keep its standard output, and run the step again",
        )
    return notes.reading()


def _note_blocks(
    notes: Notes, name: str, sizes: Sequence[str], rates: Sequence[float], line: int
) -> None:
    if len(rates) != len(sizes):
        notes.skip("row that does not fit its heading", line)
        return
    for size, rate in zip(sizes, rates, strict=True):
        benchmark = notes.benchmark(f"{name} {size} bytes", line)
        if int(size):
            benchmark.measure("throughput", rate / int(size), line)
        benchmark.measure("bytes_per_second", rate, line)


def _note_keys(notes: Notes, names: Sequence[str], words: Sequence[str], line: int) -> None:
    rates = words[-len(names) :]
    algorithm = " ".join(each for each in words[: -len(names)] if not KEY_TIME.fullmatch(each))
    for name, text in zip(names, rates, strict=False):
        if KEY_RATE.fullmatch(text):
            benchmark = notes.benchmark(f"{algorithm} {name}", line)
            benchmark.measure("throughput", float(text), line)


PARSER = Parser("openssl-speed", recognise_by(SIGNATURE), parse)
