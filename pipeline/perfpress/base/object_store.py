"""A place in an object store, or a directory, by its address: what fsspec opens."""

import errno
import importlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfpress.base.problems import BadInput, Problem

PIECE = 1_000_000
"""Bytes that are read at a time."""


class StoreFailure(BadInput):
    """Raised when a store does not do what it is asked for, whatever it holds."""


class ObjectStore:
    """Files below one address."""

    def __init__(self, address: str) -> None:
        """Open it.

        Raises:
            StoreFailure: fsspec, or its package for this kind of store, is not installed.
        """
        self.address = address
        try:
            fsspec: Any = importlib.import_module("fsspec")
            # Only directories on disk have to be made, and others would not know the word.
            options = {"auto_mkdir": True} if address.startswith("file:") else {}
            self.files, root = fsspec.core.url_to_fs(address, **options)
        except (ImportError, ValueError) as error:
            do = "install it beside perfpress: uv pip install 'perfpress[store]' (and s3fs for s3)"
            raise StoreFailure(Problem(path=address, found=str(error), do=do)) from None
        self.root = str(root).rstrip("/")

    @property
    def is_on_disk(self) -> bool:
        """Whether it is a directory of this machine."""
        return bool(getattr(self.files, "local_file", False))

    def path(self, *parts: str) -> str:
        """Return a path in the store."""
        return "/".join((self.root, *parts))

    def read(self, path: str, most: int) -> Iterator[bytes]:
        """Yield a file in pieces, up to one byte more than it may have.

        Raises:
            OSError: it is a link, a device or a pipe: no store needs them, and some have no end.
        """
        if not self._is_regular(path):
            raise OSError(errno.EINVAL, f"{path.removeprefix(self.root)} is no regular file")
        with self.files.open(path, "rb") as file:
            left = most + 1
            while left and (piece := file.read(min(left, PIECE))):
                left -= len(piece)
                yield piece

    def content(self, path: str, most: int) -> bytes:
        """Return what a small file holds, in one request.

        Raises:
            OSError: there is none, or it is larger.
        """
        if self.is_on_disk:
            found = b"".join(self.read(path, most))
        else:
            found = self.files.cat_file(path, start=0, end=most + 1)
        if len(found) > most:
            raise OSError(errno.EFBIG, f"{path} has more than {most} bytes")
        return found

    def write(self, path: str, content: bytes) -> None:
        """Write a file at once: nobody sees half of it."""
        if self.is_on_disk:
            # Object stores do this by themselves.
            part = f"{path}.{uuid.uuid4().hex}.part"
            self.files.pipe_file(part, content)
            self.files.mv(part, path)
        else:
            self.files.pipe_file(path, content)

    def _is_regular(self, path: str) -> bool:
        if self.files.info(path)["type"] != "file":
            return False
        inside = path.removeprefix(self.root).lstrip("/")
        return not self.is_on_disk or Path(path).resolve() == Path(self.root).resolve() / inside


def address_from(address: str, directory: Path) -> str:
    """Return the address of a store as fsspec has it.

    Args:
        address: one, or a path.
        directory: from which a relative path leads.
    """
    # Not as a URI: fsspec takes `%20` for a part of the name.
    return address if "://" in address else f"file://{(directory / address).resolve()}"


def store_failure(path: str, error: Exception) -> StoreFailure:
    """Return what to raise where a store fails; each kind of store has errors of its own."""
    why = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
    do = (
        "check address, permission and clock, and call it again: what has arrived is not sent twice"
    )
    return StoreFailure(Problem(path=path, found=f"the object store says: {why}", do=do))
