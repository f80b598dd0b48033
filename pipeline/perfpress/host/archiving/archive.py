"""Moves bundles to an object store and back: copy, verify, and only then remove.

Whatever interrupts it, each file is in one of the two places as a whole, and called again it goes
on. The manifest decides which one counts: it is written when the store has been read back, and
removed when all files are here again.
"""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from perfpress.base.disk import flush, temporary_directory
from perfpress.base.object_store import ObjectStore, address_from, store_failure
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.input.bundles.content_hash import FileFact, file_fact
from perfpress.input.bundles.discover import ADDING, place_of
from perfpress.input.bundles.manifest import MANIFEST, Manifest
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME

AT_ONCE = 8
"""Files that are on their way."""


def archive(bundle: Bundle, address: str) -> int:
    """Move a bundle's files to a store; return their bytes.

    Args:
        bundle: one, archived or not.
        address: of the store. A relative path stays relative in the manifest: every copy of the
            results finds a store that has the same place beside them.

    Raises:
        BadInput: the store failed, or the files changed meanwhile; the bundle is as it was.
    """
    if bundle.archived:
        _remove_files(bundle)  # of a run that was interrupted after the manifest
        return 0
    above = "/".join((address, *place_of(bundle)))
    store = ObjectStore(address_from(above, Path()))
    if "://" not in above and not Path(above).is_absolute():
        above = os.path.relpath(Path(above).resolve(), bundle.directory.resolve())
    manifest = Manifest(1, above, tuple(bundle.files))
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda file: _upload(store, bundle, file), bundle.files))
    except BadInput:
        raise
    except Exception as error:  # each kind of store has its own
        raise store_failure(store.address, error) from None
    if not bundle.is_unchanged():
        found = "the files changed while they were archived"
        do = "archive it again when nobody writes to it"
        raise bad_input(path=bundle.shown_as, found=found, do=do)
    _write_manifest(bundle.directory, manifest)
    _remove_files(bundle)
    return sum(file.size for file in manifest.stored)


def restore(bundle: Bundle) -> int:
    """Bring an archived bundle's files back; return their bytes. They stay in the store, too.

    Raises:
        BadInput: the store failed, or has other bytes; the bundle stays archived.
    """
    stored = [file for file in bundle.files if file.name != FILE_NAME]
    store = ObjectStore(bundle.store)
    with temporary_directory(ADDING, bundle.directory.parent) as above:
        _each(store, bundle, stored, above)
        flush(above)
        for file in stored:
            target = bundle.directory / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            (above / file.name).replace(target)
    flush(bundle.directory)
    (bundle.directory / MANIFEST).unlink()
    return sum(file.size for file in stored)


def verify(bundle: Bundle) -> int:
    """Read an archived bundle's files in the store; return their bytes.

    Raises:
        BadInput: one is missing, or not what the manifest says.
    """
    stored = [file for file in bundle.files if file.name != FILE_NAME]
    _each(ObjectStore(bundle.store), bundle, stored, None)
    return sum(file.size for file in stored)


def _each(store: ObjectStore, bundle: Bundle, files: Sequence[FileFact], into: Path | None) -> None:
    """Read files and compare them with their checksums, all of them before the first complaint."""
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            good = list(pool.map(lambda file: _is_as_archived(store, file, into), files))
    except Exception as error:  # each kind of store has its own
        raise store_failure(bundle.store, error) from None
    wrong = [file for file, is_good in zip(files, good, strict=True) if not is_good]
    if wrong:
        raise BadInput(*(_unlike(bundle.store, file) for file in wrong))


def _upload(store: ObjectStore, bundle: Bundle, file: FileFact) -> None:
    path = store.path(file.name)
    # What an interrupted run has sent is not sent again.
    if store.files.exists(path) and _is_as_archived(store, file, None):
        return
    store.write(path, (bundle.directory / file.name).read_bytes())
    if not _is_as_archived(store, file, None):
        raise BadInput(_unlike(store.address, file))


def _is_as_archived(store: ObjectStore, file: FileFact, into: Path | None) -> bool:
    """Read a file of the store, never more than it should have; write it where it is wanted."""
    digest = hashlib.sha256()
    path = Path(os.devnull) if into is None else into / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("wb") as copy:
            for piece in store.read(store.path(file.name), file.size):
                digest.update(piece)
                copy.write(piece)
    except FileNotFoundError:
        return False
    return digest.hexdigest() == file.sha256


def _write_manifest(directory: Path, manifest: Manifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    with temporary_directory(ADDING, directory.parent) as above:
        (above / MANIFEST).write_bytes(text)
        flush(above)
        (above / MANIFEST).rename(directory / MANIFEST)
    flush(directory)


def _remove_files(bundle: Bundle) -> None:
    """Remove what is archived, as far as it still is what was archived."""
    for file in bundle.files:
        path = bundle.directory / file.name
        if file.name != FILE_NAME and path.is_file():
            if file_fact(bundle.directory, file.name) != file:
                found, do = "changed after it was archived", "restore it, or remove it"
                raise bad_input(path=str(path), found=found, do=do)
            path.unlink()
    folders = [folder for folder in bundle.directory.rglob("*") if folder.is_dir()]
    for folder in sorted(folders, reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _unlike(address: str, file: FileFact) -> Problem:
    return Problem(
        path=f"{address}/{file.name}",
        found="it is missing, or not what was archived",
        expected=f"{file.size} bytes with sha256 {file.sha256[:16]}…",
        do="call it again; if it stays so, take the file from git's history",
    )
