"""Turns what perf recorded into the files of a bundle: folded stacks, or `perf script` text."""

import gzip
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import zstandard

from pipeline.capture.profiler import Recorded, write_script
from pipeline.node.requests import FLAMEGRAPH, node_path
from pipeline.problems import BadInput, Problem

RAW_SUFFIX = ".perf-script.zst"
FOLDED_SUFFIX = ".folded.gz"

HEADER = b"# perfpress-folded "


@dataclass(frozen=True)
class Folder:
    """Folds captures with Node."""

    node: Path

    @classmethod
    def find(cls) -> "Folder | None":
        """Return a folder, or `None` on a host without Node: its captures stay unfolded."""
        try:
            return cls(node_path()) if FLAMEGRAPH.exists() else None
        except BadInput:
            return None

    def fold(self, text: Path) -> bytes:
        """Return the folded stacks of `perf script` text; tell on stderr what was skipped of it.

        Raises:
            BadInput: the text cannot be folded.
        """
        done = subprocess.run(
            [self.node, FLAMEGRAPH, "fold", text],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            found = " ".join(done.stderr.decode("utf-8", "replace").split())
            raise BadInput(
                Problem(
                    path=text.name,
                    found=found[:300],
                    expected="stacks",
                    do="look at the text: perf script --no-inline",
                )
            )
        sys.stderr.write(done.stderr.decode("utf-8", "replace"))
        return done.stdout


def write_capture(recorded: Recorded, name: str, folder: Folder | None, directory: Path) -> Path:
    """Write one capture of a bundle into `directory`; return its file.

    With a folder it becomes `<name>.folded.gz`, about a tenth of the size of the text, which is
    written as `<name>.perf-script.zst` otherwise.

    Raises:
        BadInput: perf or the folder failed.
    """
    text = recorded.data.with_suffix(".txt")
    write_script(recorded.data, text)
    if folder is None:
        capture = directory / f"{name}{RAW_SUFFIX}"
        capture.write_bytes(zstandard.compress(text.read_bytes(), level=19))
    else:
        capture = directory / f"{name}{FOLDED_SUFFIX}"
        folded = with_header(folder.fold(text), recorded)
        capture.write_bytes(gzip.compress(folded, mtime=0))
    text.unlink()
    return capture


def with_header(folded: bytes, recorded: Recorded) -> bytes:
    """Return folded stacks that begin with what the stacks alone do not tell.

    `# perfpress-folded event=cpu-clock samples=812 lost=0`; what the folder says beyond that, as
    `skipped=3 partial=true`, stays.
    """
    facts = {
        b"event": recorded.event.encode(),
        b"samples": b"%d" % recorded.samples,
        b"lost": b"%d" % recorded.lost,
    }
    if folded.startswith(HEADER):
        head, _, folded = folded.partition(b"\n")
        for fact in head.removeprefix(HEADER).split():
            key, _, value = fact.partition(b"=")
            facts.setdefault(key, value)
    words = [b"%b=%b" % fact for fact in facts.items()]
    return HEADER + b" ".join(words) + b"\n" + folded
