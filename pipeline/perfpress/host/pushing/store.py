"""Bundles in an object store, through fsspec.

    <store>/<host>/uploads/<content hash>/files…
    <store>/<host>/<report>/<release>/<variant>/<run>.json      written last: the bundle is whole

Object stores cannot rename, so the marker makes a bundle of what was uploaded: nothing reads files
that no marker names. They are below their content hash: an upload that was cut off is written
again to the same place.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from perfpress.base.object_store import ObjectStore, store_failure
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.host.pushing.deliver import Delivery, owner
from perfpress.host.pushing.git import OverBudget
from perfpress.host.pushing.repository import RunPath
from perfpress.input.bundles.content_hash import FileFact, content_hash, file_fact
from perfpress.input.bundles.discover import LEVELS, place_of
from perfpress.input.bundles.manifest import unfit_files
from perfpress.input.bundles.read import Bundle

UPLOADS = "uploads"
"""Beside the reports of a host; the marker's depth keeps it apart from a report of that name."""
LARGEST_MARKER = 10_000_000
"""Bytes: twenty thousand files with long names."""

PUSH_AGAIN = "remove the marker and push the bundle again"


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle in the store consists of."""

    schema: int
    files: tuple[FileFact, ...]


class StoredBundle(NamedTuple):
    """A bundle that a marker announces."""

    host: str
    place: RunPath
    marker: str
    """The marker's path in the store."""


class Store(ObjectStore):
    """A place in an object store that hosts push to."""

    def marker(self, host: str, place: RunPath) -> str:
        """Return the path of a bundle's marker."""
        return self.path(host, *place) + ".json"

    def stored(self) -> list[StoredBundle] | None:
        """Return all bundles, by host and place; `None` where there is no such place at all.

        Raises:
            BadInput: it cannot be read.
        """
        try:
            paths = sorted(self.files.glob(self.path(*"*" * (1 + len(LEVELS))) + ".json"))
            if not paths and not self.files.exists(self.root):
                return None
        except Exception as error:  # each kind of store has its own
            raise store_failure(self.address, error) from None
        parts = [path.removeprefix(self.root).strip("/").split("/") for path in paths]
        return [
            StoredBundle(host, (*levels, run.removesuffix(".json")), path)
            for path, (host, *levels, run) in zip(paths, parts, strict=True)
        ]


def upload(bundles: Sequence[Bundle], address: str) -> list[Delivery]:
    """Upload bundles; return the outcome of each.

    Raises:
        BadInput: the files changed meanwhile, or the store could not be written.
    """
    store = Store(address)
    try:
        return [Delivery(bundle, address, is_new=_upload(bundle, store)) for bundle in bundles]
    except BadInput:
        raise
    except Exception as error:  # each kind of store has its own
        raise store_failure(address, error) from None


def _upload(bundle: Bundle, store: Store) -> bool:
    host = owner(bundle.run.host)
    marker = store.marker(host, place_of(bundle))
    content = msgspec.json.encode(Marker(1, tuple(bundle.files)))
    # A push that was killed may have left half a marker, where a store is a directory on disk.
    if store.files.exists(marker) and b"".join(store.read(marker, LARGEST_MARKER)) == content:
        return False
    for file in bundle.files:
        path = store.path(host, UPLOADS, bundle.content_hash, file.name)
        store.files.put_file(str(bundle.directory / file.name), path)
    if not bundle.is_unchanged():
        found = "the files changed while they were uploaded"
        do = "push it again when nobody writes to it"
        raise bad_input(path=bundle.shown_as, found=found, do=do)
    store.files.pipe_file(marker, content)
    return True


def download(store: Store, stored: StoredBundle, directory: Path, end: float) -> None:
    """Copy a bundle out of the store into a new directory.

    Raises:
        BadInput: the marker is malformed, or a file it names is missing, too large, or changed.
        OverBudget: the time on the clock of `time.monotonic` is over.
    """
    shown = f"{store.address}{stored.marker.removeprefix(store.root)}"
    try:
        marker = _marker(store, stored, shown)
        uploaded = content_hash(marker.files)
        for file in marker.files:
            target = directory / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            path = store.path(stored.host, UPLOADS, uploaded, file.name)
            with target.open("xb") as copy:
                for piece in store.read(path, file.size):
                    if time.monotonic() > end:
                        raise OverBudget("error: reading the store took too long")
                    copy.write(piece)
            if file_fact(directory, file.name) != file:
                raise BadInput(_unlike(shown, file))
    except (BadInput, OverBudget):
        raise
    except Exception as error:  # each kind of store has its own
        raise store_failure(shown, error) from None


def _marker(store: Store, stored: StoredBundle, shown: str) -> Marker:
    content = b"".join(store.read(stored.marker, LARGEST_MARKER))
    if len(content) > LARGEST_MARKER:
        found = f"more than {LARGEST_MARKER} bytes"
        raise bad_input(path=shown, found=found, do=PUSH_AGAIN)
    try:
        marker = msgspec.json.decode(content, type=Marker)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        found = f"no marker of a bundle: {error}"
        raise bad_input(path=shown, found=found, do=PUSH_AGAIN) from None
    if found := unfit_files(marker.files):
        raise bad_input(path=shown, found=f"names {found}", do=PUSH_AGAIN)
    return marker


def _unlike(shown: str, file: FileFact) -> Problem:
    return Problem(
        path=shown,
        found=f"{file.name} is not what the marker says",
        expected=f"{file.size} bytes with sha256 {file.sha256[:16]}…",
        do=PUSH_AGAIN,
    )
