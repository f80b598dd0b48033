"""Turns what perf recorded into the files of a bundle: folded stacks, or `perf script` text."""

import gzip
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import zstandard

from perfpress.base.node.requests import PROFILE, node_path
from perfpress.base.problems import BadInput, bad_input
from perfpress.base.slugs import slug
from perfpress.host.capture.perf import PerfCapture, SampleCounts, write_script

RAW_SUFFIX = ".perf-script.zst"
FOLDED_SUFFIX = ".folded.gz"

HEADER = b"# perfpress-folded "

LEVEL = 12
"""Of zstd. A higher one takes several times as long, and saves a tenth."""


@dataclass(frozen=True)
class Folder:
    """Folds captures with Node."""

    node: Path

    @classmethod
    def find(cls) -> "Folder | None":
        """Return a folder, or `None` on a host without Node: its captures stay unfolded."""
        try:
            return cls(node_path()) if PROFILE.exists() else None
        except BadInput:
            return None

    def fold(self, text: Path, event: str | None = None) -> bytes:
        """Return the folded stacks of `perf script` text; report skipped lines on stderr.

        Args:
            text: of one event, unless `event` names the one to take.
            event: as perf names it.

        Raises:
            BadInput: the text cannot be folded.
        """
        chosen = () if event is None else ("--event", event)
        done = subprocess.run(
            [self.node, PROFILE, "fold", text, *chosen],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            process_group=0,
            check=False,
        )
        if done.returncode != 0:
            found = " ".join(done.stderr.decode("utf-8", "replace").split())
            raise bad_input(
                path=text.name,
                found=found[:300],
                expected="stacks",
                do="look at the text: perf script --no-inline",
            )
        sys.stderr.write(done.stderr.decode("utf-8", "replace"))
        return done.stdout


def write_capture(
    recorded: PerfCapture,
    name: str,
    folder: Folder | None,
    directory: Path,
    raw: Path | None = None,
) -> list[Path]:
    """Write one capture of a bundle into `directory`; return its files, none if it has no sample.

    With a folder each event becomes a `<name>.folded.gz`, or `<name>.<event>.folded.gz` where there
    are several: about a tenth of the size of the text, which is kept in `raw`. Without one the text
    goes into the bundle, as `<name>.perf-script.zst`.

    Raises:
        BadInput: perf or the folder failed.
    """
    if not recorded.samples:
        return []
    text = recorded.data.with_suffix(".txt")
    try:
        write_script(recorded.data, text)
        if folder is None:
            return [_compressed(text, directory / f"{name}{RAW_SUFFIX}")]
        if raw is not None:
            _compressed(text, raw / f"{name}{RAW_SUFFIX}")
        files = []
        several = len(recorded.events) > 1
        for event, counts in recorded.events.items():
            if counts.samples:
                file = directory / f"{name}{f'.{slug(event)}' if several else ''}{FOLDED_SUFFIX}"
                folded = with_header(folder.fold(text, event if several else None), event, counts)
                file.write_bytes(gzip.compress(folded, mtime=0))
                files.append(file)
        return files
    finally:
        text.unlink(missing_ok=True)


def _compressed(text: Path, file: Path) -> Path:
    """Write a text compressed, piece by piece: that of a large host has hundreds of megabytes."""
    compressor = zstandard.ZstdCompressor(level=LEVEL)
    with text.open("rb") as plain, file.open("wb") as packed:
        compressor.copy_stream(plain, packed, size=text.stat().st_size)
    return file


def with_header(folded: bytes, event: str, counts: SampleCounts) -> bytes:
    """Return folded stacks below a header with event, samples and lost samples.

    `# perfpress-folded event=cpu-clock samples=812 lost=0`; what the folder says beyond that, as
    `skipped=3 partial=true`, stays.
    """
    facts = {
        b"event": event.encode(),
        b"samples": b"%d" % counts.samples,
        b"lost": b"%d" % counts.lost,
    }
    if folded.startswith(HEADER):
        head, _, folded = folded.partition(b"\n")
        for fact in head.removeprefix(HEADER).split():
            key, _, value = fact.partition(b"=")
            facts.setdefault(key, value)
    words = [b"%b=%b" % fact for fact in facts.items()]
    return HEADER + b" ".join(words) + b"\n" + folded
