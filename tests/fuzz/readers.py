"""Coverage-guided fuzzing of what reads files in Python: `make fuzz`, or one target by its name.

Beside a crash, more work or memory than a budget in proportion to the input is a finding. It is
left as `.fuzz/…-crash-…`, and becomes a fixture of the tests of its parser.
"""

import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time

import atheris

with atheris.instrument_imports(include=["perfpress"]):
    import msgspec
    from perfpress.base.toml import read as toml
    from perfpress.host.pushing.trees import TreeEntry, UnfitTree, parse_tree
    from perfpress.input.bundles.contents import check_file
    from perfpress.input.logs.formats import FORMATS
    from perfpress.input.logs.read import read_log
    from perfpress.input.logs.text_lines import TextLines

SECONDS, SECONDS_A_BYTE = 1.0, 2e-4
"""Of CPU, instrumented: a hundred times what usual inputs take."""

MEMORY, MEMORY_A_BYTE = 50_000_000, 3_000

SCRATCH = Path(tempfile.mkdtemp(prefix="perfpress-fuzz-")) / "input"


def read_file(read: Callable[[Path], object]) -> Callable[[bytes], None]:
    """Return a target that puts its input into a file."""

    def target(data: bytes) -> None:
        SCRATCH.write_bytes(data)
        read(SCRATCH)

    return target


def log_of(name: str) -> Callable[[bytes], None]:
    """Return the target of a parser, whatever it would recognise."""
    return read_file(lambda path: msgspec.json.encode(read_log(path, "log", name)))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "log": read_file(lambda path: msgspec.json.encode(read_log(path, "log"))),
    "members": read_file(lambda path: sum(map(len, TextLines(path)))),
    "contents": read_file(lambda path: check_file(path, "file")),
    **{name: log_of(name) for name in FORMATS},
}
TARGETS["trees"] = lambda data: drop(parsed_tree(data))
TARGETS["toml"] = lambda data: drop(toml.parse_toml(data.decode("utf-8", "replace"), "run.toml"))


def parsed_tree(data: bytes) -> Mapping[bytes, TreeEntry]:
    """Return the entries of a tree of git; none of one that is refused."""
    try:
        return parse_tree(data)
    except UnfitTree:
        return {}


def drop(_: object) -> None:
    """Take what a target returns."""


def judged(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return the target with the oracle: crash, work against size, memory against size."""

    def run(data: bytes) -> None:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        begun = process_time()
        target(data)
        seconds = process_time() - begun
        memory = tracemalloc.get_traced_memory()[1] - before
        if seconds > SECONDS + SECONDS_A_BYTE * len(data):
            raise RuntimeError(f"{seconds:.1f} s of CPU time for {len(data)} bytes")
        if memory > MEMORY + MEMORY_A_BYTE * len(data):
            raise RuntimeError(f"{memory / 1e6:.0f} MB of memory for {len(data)} bytes")

    return run


def main() -> None:
    """Run the target that the first argument names; the others are libFuzzer's."""
    name = sys.argv.pop(1)
    tracemalloc.start()
    atheris.Setup(sys.argv, judged(TARGETS[name]))
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(*TARGETS)
    else:
        main()
