"""The directory of a bundle that holds the files of one step."""

import re
from collections.abc import Collection
from pathlib import Path

from pipeline.capture import host_counters
from pipeline.capture.folding import FOLDED_SUFFIX, RAW_SUFFIX
from pipeline.problems import BadInput, Problem

OWN_FILE = re.compile(
    rf"{'|'.join(map(re.escape, host_counters.FILES))}"
    rf"|perf\.\d+(\.[a-z0-9._-]+)?({re.escape(RAW_SUFFIX)}|{re.escape(FOLDED_SUFFIX)}|\.data|\.txt)"
)
"""What stands in the directory of a step beside the logs."""


def make_empty(directory: Path, logs: Collection[str]) -> None:
    """Make the directory of a step; remove what an earlier try left there, and nothing else.

    Args:
        directory: of the bundle, or of what is kept beside it.
        logs: the names of the step's logs.

    Raises:
        BadInput: it holds something else.
    """
    if directory.exists() or directory.is_symlink():
        is_directory = directory.is_dir() and not directory.is_symlink()
        entries = list(directory.iterdir()) if is_directory else []
        own = [each for each in entries if each.name in logs or OWN_FILE.fullmatch(each.name)]
        if not is_directory or own != entries:
            raise BadInput(
                Problem(
                    path=str(directory),
                    found="holds what is not of an earlier try of this step",
                    expected="a directory that is not there yet",
                    do="call the step otherwise, or write into another directory: --out DIR",
                )
            )
        for entry in entries:
            entry.unlink()
    directory.mkdir(parents=True, exist_ok=True)
