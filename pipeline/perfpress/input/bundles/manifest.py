"""The manifest of an archived bundle: where its files are, with sizes and checksums.

An archived bundle is `run.toml` and this file; all other files are in an object store. Its content
hash, and with it its name, is that of all its files, as before.
"""

from pathlib import Path

import msgspec

from perfpress.base.limits import LIMITS
from perfpress.base.problems import Problem
from perfpress.input.bundles.content_hash import FileFact
from perfpress.input.bundles.safety import path_problem, unfit_name
from perfpress.input.bundles.schema import FILE_NAME

MANIFEST = "archived.json"
LARGEST = 10_000_000
"""Bytes: twenty thousand files with long names."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an archived bundle consists of."""

    schema: int
    address: str
    """Of the bundle: files are below it, by their names. A path leads there from the manifest."""
    files: tuple[FileFact, ...]
    """All of them, run.toml too."""

    @property
    def stored(self) -> tuple[FileFact, ...]:
        """The files that are in the store alone."""
        return tuple(file for file in self.files if file.name != FILE_NAME)


def read_manifest(directory: Path, shown_as: str) -> tuple[Manifest | None, list[Problem]]:
    """Return the manifest of a directory, if it has one, and why it cannot be used."""
    path = directory / MANIFEST
    if not path.is_file():
        return None, []
    shown = f"{shown_as}/{MANIFEST}"
    do = "restore it from git: without it nothing knows where the files are"
    try:
        with path.open("rb") as file:
            manifest = msgspec.json.decode(file.read(LARGEST), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        return None, [Problem(path=shown, found=f"no manifest of a bundle: {error}", do=do)]
    found = unfit_files(manifest.files)
    return manifest, [Problem(path=shown, found=found, do=do)] if found else []


def unfit_files(files: tuple[FileFact, ...]) -> str:
    """Say why a list of files can be no bundle's; an empty text where it can."""
    sizes = [file.size for file in files]
    if len(files) > LIMITS.files or any(not 0 <= size <= LIMITS.file_bytes for size in sizes):
        return f"more files, or larger ones, than a bundle may hold ({len(files)} files)"
    if sum(sizes) > LIMITS.bundle_bytes:
        return f"{len(files)} files of {sum(sizes) / 1e6:.0f} MB, more than a bundle may hold"
    for file in files:
        parts = file.name.split("/")
        above = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
        unfit = path_problem(file.name) or next(filter(None, map(unfit_name, above)), "")
        if unfit:
            return f"a file that no bundle has: {unfit}"
    return ""
