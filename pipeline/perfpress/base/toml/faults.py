"""Explains why TOML values do not fit a Struct, at the innermost wrong value."""

import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec

from perfpress.base.problems import Problem
from perfpress.base.toml.lines import KeyPath
from perfpress.base.toml.words import nearest, shown_key, shown_value

MOST_LISTED = 20
"""Problems of one file that are listed; the others are counted."""

KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "datetime": "a date and time with its offset, such as 2023-09-01T10:00:00Z",
    "date": "a date, such as 2023-09-01",
    "array": "a list in [ ]",
    "object": "a table",
    "null": "",
}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, and where."""

    path: KeyPath
    found: str
    expected: str
    do: str = ""

    def problem(self, shown_as: str, line: int) -> Problem:
        """Return it as a problem of a line of a file."""
        return Problem(
            path=shown_as, line=line, found=self.found, expected=self.expected, do=self.do
        )


def expectation(error: msgspec.ValidationError) -> str:
    """Rephrase what msgspec expected: "Expected `int | null`, got `str` - at `$.key`"."""
    message = str(error).split(" - at `")[0]
    if match := re.fullmatch(r"Expected `([^`]+)`(.*?)(?:, got `[^`]+`)?", message):
        kinds = [KINDS.get(kind.strip(), kind) for kind in match[1].split("|")]
        return " or ".join(filter(None, kinds)) + _length_in_words(match[2])
    if match := re.fullmatch(r"Invalid RFC3339 encoded (\w+)", message):
        return KINDS[match[1]]
    return message[:1].lower() + message[1:]


def _length_in_words(limit: str) -> str:
    """Say msgspec's ` of length >= 1` in words; ` >= 1`, of numbers, stays as it is."""
    if limit == " of length >= 1":
        return " that is not empty"
    return re.sub(r" of length <= (\d+)", r" of at most \1 characters", limit)


def all_faults(values: Mapping[str, Any], struct: Any) -> list[Fault]:
    """Return the faults of all keys, or msgspec's own fault if no single key is wrong."""
    faults = list(_faults(values, struct, ()))
    if not faults:
        try:
            msgspec.convert(values, struct)
        except msgspec.ValidationError as error:
            at = re.search(r"\$\.(\w+)", str(error))
            key = at[1] if at else ""
            faults = [_fault_of(error, values.get(key), (key,) if key else ())]
    return faults


def _faults(value: Any, wanted: Any, path: KeyPath) -> Iterator[Fault]:
    """Yield what is wrong with a value, at the innermost value that is wrong."""
    wanted = _variant_for(value, wanted)
    inner = _without_annotation(wanted)
    origin = typing.get_origin(inner)
    if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        yield from _struct_faults(value, inner, path)
    elif isinstance(value, dict) and origin is dict:
        key_type, item_type = typing.get_args(inner)
        for key, item in value.items():
            yield from _leaf_faults(key, key_type, (*path, key))
            yield from _faults(item, item_type, (*path, key))
    elif isinstance(value, list) and origin is tuple:
        for index, item in enumerate(value):
            yield from _faults(item, typing.get_args(inner)[0], (*path, index))
    else:
        yield from _leaf_faults(value, wanted, path)


def _struct_faults(
    value: Mapping[str, Any], struct: type[msgspec.Struct], path: KeyPath
) -> Iterator[Fault]:
    fields = _fields(struct)
    tag = struct.__struct_config__.tag_field
    misspelled: set[str | None] = set()
    unknown = (key for key in value if key not in fields and key != tag)
    for count, key in enumerate(unknown):
        # Those that are only counted need no hint: to find one takes as long as to read a page.
        near = nearest(key, fields) if count < MOST_LISTED else None
        misspelled.add(near)
        yield _unknown_key((*path, key), near, fields)
    for name, item in fields.items():
        if name in value:
            yield from _faults(value[name], item.type, (*path, name))
        elif item.required and name not in misspelled:
            where = f"`{shown_key(path)}`" if path else "the file"
            yield Fault(path, f"{where} lacks the key `{name}`", "", f"add {_written(item)}")


@cache  # every table of every file asks for them
def _fields(struct: type[msgspec.Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    return {item.encode_name: item for item in msgspec.structs.fields(struct)}


def _written(item: msgspec.structs.FieldInfo) -> str:
    """Return a key as an author begins it: `[[step]]` where it is a list of tables."""
    inner = _without_annotation(item.type)
    items = [each for each in typing.get_args(inner) if isinstance(each, type)]
    is_tables = typing.get_origin(inner) is tuple and issubclass(items[0], msgspec.Struct)
    return f"[[{item.encode_name}]]" if is_tables else f"{item.encode_name} = …"


def _unknown_key(path: KeyPath, near: str | None, known: Iterable[str]) -> Fault:
    found = f"unknown key `{shown_key(path)}`"
    if near:
        return Fault(path, found, "", f"did you mean `{near}`?")
    return Fault(path, found, f"one of {', '.join(known)}", "remove it")


def _leaf_faults(value: Any, wanted: Any, path: KeyPath) -> Iterator[Fault]:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        yield _fault_of(error, value, path, wanted)


def _fault_of(
    error: msgspec.ValidationError, value: Any, path: KeyPath, wanted: Any = None
) -> Fault:
    choices = _choices(wanted)
    if choices:
        near = nearest(str(value), choices)
        do = f"did you mean {near}?" if near else ""
        return Fault(path, _found(value, path), " or ".join(choices), do)
    return Fault(path, _found(value, path), expectation(error))


def _found(value: Any, path: KeyPath) -> str:
    key = f"`{shown_key(path)}` is " if path else ""
    return key + shown_value(value)


def _without_annotation(wanted: Any) -> Any:
    while typing.get_origin(wanted) is typing.Annotated:
        wanted = typing.get_args(wanted)[0]
    return wanted


def _variant_for(value: Any, wanted: Any) -> Any:
    """Return the member of a union that fits a table, else the wanted type itself.

    That is the Struct with its tag, or else a dict.
    """
    if not isinstance(value, dict):
        return wanted
    inner = _without_annotation(wanted)
    if typing.get_origin(inner) not in (typing.Union, types.UnionType):
        return wanted
    for candidate in typing.get_args(inner):
        config = getattr(candidate, "__struct_config__", None)
        if config and config.tag is not None and value.get(config.tag_field) == config.tag:
            return candidate
        if typing.get_origin(candidate) is dict:
            return candidate
    return wanted


def _choices(wanted: Any) -> list[str]:
    """Return the values that a Literal allows, also where it is optional."""
    inner = _without_annotation(wanted)
    if typing.get_origin(inner) is Literal:
        return [str(choice) for choice in typing.get_args(inner)]
    return [choice for part in typing.get_args(inner) for choice in _choices(part)]
