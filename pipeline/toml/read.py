"""Reads TOML that people write into Structs; all that is wrong is told at once, with its line."""

import difflib
import re
import sys
import tomllib
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec

from pipeline.bundle.secrets import redact
from pipeline.problems import Problem
from pipeline.toml.lines import KeyPath, line_of, lines_by_key

LARGEST_FILE = 1_000_000
"""Bytes. Files that people write are far smaller."""
LONGEST_SHOWN = 60
"""Characters of a value in a message."""
DEEPEST = 50
"""Tables and lists one in another. A dotted key could make thousands of them."""
MOST_TOLD = 20
"""Things that are wrong with one file, told one by one; the others are counted."""
MOST_BITS_IN_DECIMAL = 256
"""Of a whole number; one in hexadecimal may have more decimal digits than Python writes."""

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

_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
LONG_DOTTED_KEY = re.compile(
    rf"(?:^[ \t]*+\[{{0,2}}+|[{{,])[ \t]*+{_KEY_PART}"
    rf"(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{DEEPEST},}}+",
    re.MULTILINE,
)
"""A key of more parts than tables may stand in one another. tomllib takes their square in bytes."""

T = TypeVar("T")


@dataclass(frozen=True)
class Document:
    """A TOML file as read: its values and where they stand."""

    text: str
    shown_as: str
    values: dict[str, Any]
    first_line: int = 1
    """The line of the file on which the TOML begins (front matter does not begin on the first)."""

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return lines_by_key(self.text)

    def line(self, *path: str | int) -> int:
        """Return the line of a key, or of the nearest table around it."""
        return line_of(self._lines, path) + self.first_line - 1 if self._lines else self.first_line


@dataclass(frozen=True)
class Input(Generic[T]):
    """A file as it was read into a Struct: `value` is `None` where something is wrong."""

    value: T | None
    problems: tuple[Problem, ...]
    document: Document | None = None


def read_text(path: Path, shown_as: str) -> tuple[str | None, list[Problem]]:
    """Return the text of a file that people write."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None, [
                Problem(
                    path=shown_as,
                    found=f"{path.stat().st_size} bytes",
                    expected=f"at most {LARGEST_FILE}",
                    do="keep large texts in files of their own",
                )
            ]
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n"), []
    except OSError as error:
        found, do = f"cannot be read ({error.strerror})", "add the file"
    except UnicodeDecodeError as error:
        found, do = f"byte {error.start} is no UTF-8", "save the file as UTF-8"
    return None, [Problem(path=shown_as, found=found, expected="a text file", do=do)]


def parse_toml(
    text: str, shown_as: str, first_line: int = 1
) -> tuple[Document | None, list[Problem]]:
    """Return the values of a TOML text."""
    if too_deep := LONG_DOTTED_KEY.search(text):
        line = first_line + text.count("\n", 0, too_deep.end())
        return None, [_too_deep(shown_as, line)]
    try:
        values = tomllib.loads(text + "\n")
    except tomllib.TOMLDecodeError as error:
        return None, [_syntax_problem(str(error), text, shown_as, first_line)]
    except ValueError:
        return None, [_too_long_number(text, shown_as, first_line)]
    except RecursionError:
        values = None
    if values is None or _is_deeper(values, DEEPEST):
        return None, [_too_deep(shown_as)]
    return Document(text, shown_as, values, first_line), []


def _too_deep(shown_as: str, line: int = 0) -> Problem:
    found = f"more than {DEEPEST} tables or lists one in another"
    return Problem(path=shown_as, line=line, found=found, expected="fewer", do="nest them less")


def _syntax_problem(message: str, text: str, shown_as: str, first_line: int) -> Problem:
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(at[1]) if at else text.count("\n") + 1
    return Problem(
        path=shown_as,
        line=line + first_line - 1,
        found=re.sub(r" \(at .*\)$", "", message),
        expected="TOML",
        do="correct the line" if at else "close what is open at the end of the file",
    )


def _is_deeper(value: Any, levels: int) -> bool:
    """Tell whether tables and lists stand in one another deeper than that."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _too_long_number(text: str, shown_as: str, first_line: int) -> Problem:
    """Tell of the one value that tomllib cannot make of valid TOML: Python bounds the digits."""
    most = sys.get_int_max_str_digits()
    numbers = (found for found in re.finditer(r"[\d_]+", text) if len(found[0]) > most)
    number = next(numbers, None)
    return Problem(
        path=shown_as,
        line=first_line + text.count("\n", 0, number.start() if number else 0),
        found="a number that is too long",
        expected=f"at most {most} digits",
        do="correct it",
    )


def convert(document: Document, struct: type[T]) -> Input[T]:
    """Return the document as a Struct that forbids unknown fields, or all that is wrong."""
    faults = _all_faults(document.values, struct)
    if faults:
        return Input(None, _told(faults, document), document)
    return Input(msgspec.convert(document.values, struct), (), document)


def convert_parts(document: Document, struct: type[T], passed_over: Collection[str]) -> Input[T]:
    """Like `convert`, but leave out what is wrong, a whole key of the top level at a time.

    Args:
        document: what was read.
        struct: a Struct whose fields all have defaults.
        passed_over: keys of the top level that belong to somebody else.
    """
    values = {key: value for key, value in document.values.items() if key not in passed_over}
    faults = _all_faults(values, struct)
    wrong = {fault.path[0] for fault in faults if fault.path}
    good = {key: value for key, value in values.items() if key not in wrong}
    return Input(msgspec.convert(good, struct), _told(faults, document), document)


def read_toml(path: Path, shown_as: str, struct: type[T]) -> Input[T]:
    """Return a file as a Struct, or every way in which it is none."""
    text, problems = read_text(path, shown_as)
    if text is None:
        return Input(None, tuple(problems))
    document, problems = parse_toml(text, shown_as)
    if document is None:
        return Input(None, tuple(problems))
    return convert(document, struct)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that an unknown one was probably meant to be."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1)), None)


def shown_key(path: KeyPath) -> str:
    """Return a key as an author would say it: `step[0].capture.event`, counted from 0."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
    return text.removeprefix(".")


def shown_value(value: Any) -> str:
    """Return a value as a message shows it: on one line, not too long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > MOST_BITS_IN_DECIMAL:
        text = hex(value)
    else:
        text = str(value) if isinstance(value, int | float | date) else repr(value)
    text, _ = redact(text)  # what is told of a refused file is listed on the site
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]{1,60}", name) else shown_value(name)


@dataclass(frozen=True)
class _Fault:
    path: KeyPath
    found: str
    expected: str
    do: str = ""

    def problem(self, shown_as: str, line: int) -> Problem:
        return Problem(
            path=shown_as, line=line, found=self.found, expected=self.expected, do=self.do
        )


def expectation(error: msgspec.ValidationError) -> str:
    """Say in our words what msgspec expected: "Expected `int | null`, got `str` - at `$.key`"."""
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


def _all_faults(values: Mapping[str, Any], struct: Any) -> list[_Fault]:
    """Return what is wrong, or what msgspec finds wrong where no single key is."""
    faults = list(_faults(values, struct, ()))
    if not faults:
        try:
            msgspec.convert(values, struct)
        except msgspec.ValidationError as error:
            at = re.search(r"\$\.(\w+)", str(error))
            key = at[1] if at else ""
            faults = [_fault_of(error, values.get(key), (key,) if key else ())]
    return faults


def _told(faults: Sequence[_Fault], document: Document) -> tuple[Problem, ...]:
    told = [
        fault.problem(document.shown_as, document.line(*fault.path)) for fault in faults[:MOST_TOLD]
    ]
    if more := len(faults) - len(told):
        do = "correct those that are told first"
        told.append(Problem(path=document.shown_as, found=f"{more} more problems", do=do))
    return tuple(told)


def _faults(value: Any, wanted: Any, path: KeyPath) -> Iterator[_Fault]:
    """Yield what is wrong with a value, as deep inside as it can be told."""
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
) -> Iterator[_Fault]:
    fields = {item.encode_name: item for item in msgspec.structs.fields(struct)}
    tag = struct.__struct_config__.tag_field
    misspelled: set[str | None] = set()
    unknown = (key for key in value if key not in fields and key != tag)
    for count, key in enumerate(unknown):
        # Those that are only counted need no hint: to find one takes as long as to read a page.
        near = nearest(key, fields) if count < MOST_TOLD else None
        misspelled.add(near)
        yield _unknown_key((*path, key), near, fields)
    for name, item in fields.items():
        if name in value:
            yield from _faults(value[name], item.type, (*path, name))
        elif item.required and name not in misspelled:
            where = f"`{shown_key(path)}`" if path else "the file"
            yield _Fault(path, f"{where} lacks the key `{name}`", "", f"add {_written(item)}")


def _written(item: msgspec.structs.FieldInfo) -> str:
    """Return a key as an author begins it: `[[step]]` where it is a list of tables."""
    inner = _without_annotation(item.type)
    items = [each for each in typing.get_args(inner) if isinstance(each, type)]
    is_tables = typing.get_origin(inner) is tuple and issubclass(items[0], msgspec.Struct)
    return f"[[{item.encode_name}]]" if is_tables else f"{item.encode_name} = …"


def _unknown_key(path: KeyPath, near: str | None, known: Iterable[str]) -> _Fault:
    found = f"unknown key `{shown_key(path)}`"
    if near:
        return _Fault(path, found, "", f"did you mean `{near}`?")
    return _Fault(path, found, f"one of {', '.join(known)}", "remove it")


def _leaf_faults(value: Any, wanted: Any, path: KeyPath) -> Iterator[_Fault]:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        yield _fault_of(error, value, path, wanted)


def _fault_of(
    error: msgspec.ValidationError, value: Any, path: KeyPath, wanted: Any = None
) -> _Fault:
    choices = _choices(wanted)
    if choices:
        near = nearest(str(value), choices)
        do = f"did you mean {near}?" if near else ""
        return _Fault(path, _found(value, path), " or ".join(choices), do)
    return _Fault(path, _found(value, path), expectation(error))


def _found(value: Any, path: KeyPath) -> str:
    key = f"`{shown_key(path)}` is " if path else ""
    return key + shown_value(value)


def _without_annotation(wanted: Any) -> Any:
    while typing.get_origin(wanted) is typing.Annotated:
        wanted = typing.get_args(wanted)[0]
    return wanted


def _variant_for(value: Any, wanted: Any) -> Any:
    """Return the Struct of a tagged union whose tag the value bears, else what was wanted."""
    if not isinstance(value, dict):
        return wanted
    for candidate in typing.get_args(_without_annotation(wanted)):
        config = getattr(candidate, "__struct_config__", None)
        if config and config.tag is not None and value.get(config.tag_field) == config.tag:
            return candidate
    return wanted


def _choices(wanted: Any) -> list[str]:
    """Return the values that a Literal allows, also where it is optional."""
    inner = _without_annotation(wanted)
    if typing.get_origin(inner) is Literal:
        return [str(choice) for choice in typing.get_args(inner)]
    return [choice for part in typing.get_args(inner) for choice in _choices(part)]
