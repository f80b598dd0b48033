"""Matches names in paths with functions and threads of a profile.

What compilers, linkers and CPUs add to names is already gone from the profile's keys. Left are the
ways in which a path may be shorter than a key: without leading parts (`Iterator::Next` means
`rocksdb::Iterator::Next`), without template arguments, and without the source file that names of
Python, Ruby and JavaScript end in (`heavy` means `heavy (w.py)`). Full names are compared too, so
that what was copied from a graph is found as it is.
"""

import difflib
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from perfpress.analysis.paths.parse import Alternative, FrameClass, Name
from perfpress.analysis.profiles.profile import Mask, Profile

THREAD_NAME_LENGTH = 15
"""What the kernel keeps of a thread's name (TASK_COMM_LEN, less the final NUL)."""

LONGEST_NAME = 8192
"""Longer names mean only themselves: no function is called by the end of a megabyte."""

Test = Callable[[str, str, str], bool]
"""Takes a full name, its key and its class."""

# operator<<   operator()   operator->   operator new   Foo::operator bool
OPERATOR = re.compile(r"\boperator\s*(?:\(\)|\[\]|<=>|<<=|<<|<=|<|>>=|>>|>=|->\*|->|>|(?=\w))|->")
# heavy (w.py)   _load (<frozen importlib._bootstrap>)   readFile (node:fs)
SOURCE_FILE = re.compile(
    r" \((?:[^()]+\.(?:py[xi]?|rb|[cm]?[jt]sx?|php|lua|vue|svelte)|<[^()]+>|node:[^()]+)\)$"
)
OPENING = "<([{"
CLOSING = dict(zip(OPENING, ">)]}", strict=True))


class _NameIndex:
    """The names of one profile by their last parts, so that few of them need a closer look."""

    def __init__(self, profile: Profile) -> None:
        self.rows = tuple(zip(profile.names, profile.keys, profile.classes, strict=True))
        self.threads: list[int] = []
        self.by_last_part: dict[str, list[int]] = {}
        self.meant: dict[Alternative, Mask] = {}
        for at, (name, key, frame_class) in enumerate(self.rows):
            if frame_class == "thread":
                self.threads.append(at)
            else:
                for part in {_last_part(each) for each in _spellings(name, key)}:
                    self.by_last_part.setdefault(part, []).append(at)

    def of(self, alternative: Alternative) -> Mask:
        """Return which names an alternative means."""
        if alternative not in self.meant:
            mask = np.zeros(len(self.rows), dtype=np.bool_)
            test = _test(alternative)
            for at in self._candidates(alternative):
                mask[at] = test(*self.rows[at])
            self.meant[alternative] = mask
        return self.meant[alternative]

    def _candidates(self, alternative: Alternative) -> Iterable[int]:
        if isinstance(alternative, FrameClass) or alternative.literal or "*" in alternative.text:
            return range(len(self.rows))
        return (*self.threads, *self.by_last_part.get(_last_part(alternative.text), ()))


_indexes: WeakKeyDictionary[Profile, _NameIndex] = WeakKeyDictionary()


def names_meant(profile: Profile, alternatives: tuple[Alternative, ...]) -> Mask:
    """Return which of the profile's m names are meant by any of the alternatives."""
    index = _indexes.get(profile)
    if index is None:
        index = _indexes[profile] = _NameIndex(profile)
    meant = np.zeros(len(profile.names), dtype=np.bool_)
    for alternative in alternatives:
        meant |= index.of(alternative)
    return meant


def nearest_names(profile: Profile, name: str) -> list[str]:
    """Return the keys of a profile that an unknown name was probably meant to be."""
    last_parts: dict[str, str] = {}
    for key in profile.keys[1:]:
        if len(key) <= LONGEST_NAME:
            last_parts.setdefault(without_templates(key).rpartition("::")[2], key)
    wanted = without_templates(name).rpartition("::")[2]
    found = difflib.get_close_matches(wanted, last_parts, n=3, cutoff=0.7)
    return [last_parts[part] for part in found]


def _test(alternative: Alternative) -> Test:
    if isinstance(alternative, FrameClass):
        return lambda _name, _key, frame_class: frame_class == alternative.name
    if alternative.literal:
        return lambda name, key, _class: alternative.text in (name, key)
    return lambda name, key, frame_class: (
        _means_thread(alternative, name, key)
        if frame_class == "thread"
        else means_function(alternative.text, name, key)
    )


def _means_thread(wanted: Name, name: str, key: str) -> bool:
    """Compare what the kernel keeps: `my-oneconnection` means `my-oneconnectio`."""
    if "*" in wanted.text:
        return fits(wanted.text, key, 0) or fits(wanted.text, name, 0)
    return wanted.text[:THREAD_NAME_LENGTH] == key[:THREAD_NAME_LENGTH] or wanted.text == name


def means_function(wanted: str, name: str, key: str) -> bool:
    """Return whether a name, which may hold `*`, means a function."""
    if len(key) > LONGEST_NAME or len(name) > LONGEST_NAME:
        return wanted in (name, key)
    spellings = _spellings(name, key)
    if "*" in wanted:
        return any(fits(wanted, each, start) for each in spellings for start in starts(each))
    return any(
        each.endswith(wanted) and len(each) - len(wanted) in starts(each) for each in spellings
    )


def _spellings(name: str, key: str) -> tuple[str, ...]:
    """Return what a path may call a function, or the end of it."""
    if len(key) > LONGEST_NAME or len(name) > LONGEST_NAME:
        return name, key
    return tuple(dict.fromkeys((SOURCE_FILE.sub("", key), without_templates(key), key, name)))


def _last_part(spelling: str) -> str:
    """Return what every name that means a function ends with."""
    if len(spelling) > LONGEST_NAME:
        return spelling
    return spelling[max(starts(spelling)) :]


def fits(pattern: str, text: str, start: int) -> bool:
    """Return whether the text from `start` on is the pattern, in which `*` matches any text."""
    first, *middle, last = pattern.split("*")
    if not text.startswith(first, start):
        return False
    at = start + len(first)
    for part in middle:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return at <= len(text) - len(last) and text.endswith(last)


@lru_cache(maxsize=1 << 16)
def without_templates(name: str) -> str:
    """Return a name without its template arguments.

    `BlockIter<rocksdb::IndexValue>::Seek` becomes `BlockIter::Seek`. Brackets that begin a part
    are not template arguments: Rust's `<Vec<T> as Drop>::drop` stays as it is.
    """
    if "<" not in name:
        return name
    kept: list[str] = []
    depth = 0
    at = 0
    while at < len(name):
        operator = _operator_at(name, at)
        text = operator or name[at]
        at += len(text)
        if depth == 0 and text == "<" and kept and kept[-1] != ":":
            depth = 1
        elif depth:
            depth += (text == "<") - (text == ">")
        else:
            kept.append(text)
    # A bracket that is not closed: the name was cut, and what is left says too little.
    return name if depth else "".join(kept).rstrip()


@lru_cache(maxsize=1 << 16)
def starts(name: str) -> frozenset[int]:
    """Return where a shorter spelling of a name may begin: at each part, outside of brackets.

    A return type, as `void std::sort<int*>` has one, may be left out as well.
    """
    found = {0}
    open_brackets: list[str] = []
    at = 0
    while at < len(name):
        if operator := _operator_at(name, at):
            at += len(operator)
            continue
        letter = name[at]
        if open_brackets and letter == CLOSING[open_brackets[-1]]:
            open_brackets.pop()
        elif letter in OPENING:
            open_brackets.append(letter)
        elif not open_brackets and (letter == " " or name.startswith("::", at)):
            at += 1 if letter == " " else 2
            found.add(at)
            continue
        at += 1
    return frozenset(found)


def _operator_at(name: str, at: int) -> str:
    """Return the text at a place whose brackets and spaces are part of a name, mostly none."""
    operator = OPERATOR.match(name, at) if name[at] in "o-" else None
    return operator[0] if operator else ""
