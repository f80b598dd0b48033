"""Base types of the requests and answers that Python and Node exchange.

Requests and answers are Structs; of them `make schemas` writes `pipeline/messages.schema.json`, and
of that `pipeline/messages.d.ts`, whose types the JavaScript has. An answer that does not fit is a
defect which names the job and the field.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import UNSET

from perfpress.base.cache import Artifact
from perfpress.base.problems import Problem


@dataclass(frozen=True)
class Output:
    """A file, or with an empty name the directory, that a job writes."""

    name: str


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a request or an answer."""


class Answer(Message, frozen=True, kw_only=True):
    """What a job returns besides the files that it wrote."""

    problems: tuple[Problem, ...] = ()


A = TypeVar("A", bound=Answer, covariant=True)


class Request(Message, Generic[A], frozen=True, kw_only=True, tag_field="job"):
    """What a job is asked for; its tag is the job's name."""

    @classmethod
    def job(cls) -> str:
        """Return the name of the job."""
        return str(cls.__struct_config__.tag)

    @classmethod
    def answer(cls) -> type[A]:
        """Return what the job answers with."""
        (base,) = cls.__orig_bases__  # type: ignore[attr-defined]
        return cast("type[A]", base.__args__[0])


def plain(value: Any, of_file: Callable[[Artifact | Output], Any]) -> Any:
    """Return a request as plain data.

    Args:
        value: a request, or a part of one.
        of_file: returns the placeholder of a file.
    """
    if isinstance(value, Artifact | Output):
        return of_file(value)
    if isinstance(value, Request):
        return {"job": value.job(), **_fields(value, of_file)}
    if isinstance(value, msgspec.Struct):
        return _fields(value, of_file)
    if isinstance(value, Mapping):
        return {name: plain(inner, of_file) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, of_file) for inner in value]
    return value


def _fields(value: msgspec.Struct, of_file: Callable[[Artifact | Output], Any]) -> dict[str, Any]:
    fields = ((name, getattr(value, name)) for name in value.__struct_fields__)
    return {name: plain(inner, of_file) for name, inner in fields if inner is not UNSET}


def real(request: Request[Any], directory: Path) -> dict[str, Any]:
    """Return a request as Node gets it, with the paths of files.

    Args:
        request: of a job.
        directory: where the job writes.
    """
    whole: dict[str, Any] = plain(
        request,
        lambda file: str(file.path if isinstance(file, Artifact) else directory / file.name),
    )
    return whole
