"""Numbers as text, ready to show: the only place that rounds.

Data files keep every digit; a page shows what a reader can use. A column shows all its numbers with
the same count of decimals, so that they line up at the decimal point. Scripts of pages and graphs
write numbers with `pipeline/profile/model/numbers.js`: `tests/vectors/numbers.json` holds for both.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal

MINUS = "\N{MINUS SIGN}"
NO_VALUE = "\N{EN DASH}"
PERCENT = "\N{NO-BREAK SPACE}%"

ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)
"""Halves away from zero, as JavaScript rounds; the largest float has 309 digits."""

CONSONANT_Y = re.compile(r"[^aeiou]y$", re.ASCII)

TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
"""The innermost ones."""

PARAMETERS = re.compile(r"(?<=[\w>\]])(?<!operator)\([^()]*(?:\([^()]*\)[^()]*)*\)(?: const)?$")
"""Of C++, at the end; `load (app.py)` of Python has a file there, and `operator()` its name."""

NAMESPACE_OF_CLASS = re.compile(r"(\(anonymous namespace\)::|\w+::)(?=[^:]+::)")
FEWEST_NAMED_ONCE = 4
"""Names that must share a namespace before it is moved to the head of the table."""

LONGEST_NAME = 200
"""Characters of a name in a table; some are a megabyte long. Downloads hold them whole."""
INNERMOST = re.compile(r"([<(])(?!…[>)])(?:->|[<(]…[>)]|[^<>()])+(?<!-)([>)])")
"""Brackets without others in them but for those that lack their content already."""
MOST_OF_NAME = 1000
"""Characters of a name that are looked at for what to leave out."""
LONGEST_WORD = 26
"""Characters of a word in a table of facts: a version fits, a checksum does not."""


def decimals_for(values: Iterable[float], digits: int = 4) -> int:
    """Return how many decimals show the largest of `values` with `digits` significant digits.

    None for 31204.3 beside 987.6, four for 0.1953 beside 0.04.
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest == 0:
        return 0
    return min(9, max(0, digits - 1 - math.floor(math.log10(largest))))


def fixed(value: float, decimals: int) -> str:
    """Return `value` with thousands set apart and a real minus sign: `−31,204.50`.

    What rounds to zero has no sign.
    """
    if not math.isfinite(value):
        return NO_VALUE
    rounded = ROUNDING.quantize(Decimal(float(value)), Decimal(1).scaleb(-decimals))
    return f"{rounded:z,f}".replace("-", MINUS)


def number(value: float, digits: int = 4) -> str:
    """Return a single number with `digits` significant digits at least."""
    return fixed(value, decimals_for([value], digits))


def signed(value: float, decimals: int) -> str:
    """Return a change with its sign: `+4.31`, `−0.20`, `0.00`."""
    text = fixed(value, decimals)
    return f"+{text}" if value > 0 and re.search("[1-9]", text) else text


def sortable(ratio: float) -> float:
    """Return a ratio as tables are sorted by it: further digits are many, and say nothing."""
    return float(f"{ratio:.7g}")


def ratio_text(ratio: float) -> str:
    """Return a ratio in a sentence: `0.503`, `1.043`, `54.7`: more digits would say nothing."""
    return fixed(ratio, 3 if ratio < 10 else 1)


def percent_change(ratio: float) -> str:
    """Return a ratio as a change: 1.043 is `+4.3 %`, 66.34 `+6,534 %`; not broken at the space."""
    change = (ratio - 1) * 100
    return f"{signed(change, 1 if change < 1000 else 0)}{PERCENT}"


def byte_size(count: int) -> str:
    """Return a file's size: `812 B`, `12.3 kB`, `4.56 MB`."""
    if count < 1000:
        return f"{count} B"
    for unit, size in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        if count < size * 1000 or unit == "GB":
            return f"{number(count / size, 3)} {unit}"
    raise AssertionError("unreachable: GB takes all")


def short_name(name: str) -> str:
    """Return a name as a table shows it: on one line, and where it is long, without its middle.

    What nobody sees, or what turns around the text behind it, is shown as U+FFFD.
    """
    half = LONGEST_NAME // 2
    short = name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[1 - half :]}"
    return short if short.isprintable() else "".join(map(_seen, short))


def row_name(name: str) -> str:
    """Return a function as a table shows it.

    Of a name that is too long the innermost template arguments and parameters go first, as in
    `rowName` of `pipeline/profile/model/shown_names.js`: `tests/vectors/row_names.json`.
    """
    whole, name = "", shortened_middle(name, MOST_OF_NAME)
    while len(name) > LONGEST_NAME and name != whole:
        whole, name = name, INNERMOST.sub(r"\1…\2", name)
    return short_name(name)


def shortened_middle(text: str, longest: int) -> str:
    """Return a text that is too long without its middle: `before-…4.txt`."""
    if len(text) <= longest:
        return text
    before = longest // 2
    return f"{text[:before]}…{text[len(text) - (longest - before - 1) :]}"


def fitted_function(name: str, longest: int) -> str:
    """Return as much of a function's name as has room, what says least left out first.

    Template arguments go first, then namespaces, then the middle: of
    `ns::Map<ns::Key, ns::Value>::insert` first `ns::Map<…>::insert`, then `…::Map::insert`.
    """
    if len(name) <= longest:
        return name
    without = _without_template_arguments(name)
    scopes = [part for part in without.split("::") if part]
    if len(scopes) < 2:
        return shortened_middle(name if without == name else without, longest)
    marked = TEMPLATE_ARGUMENTS.sub("<…>", _with_flat_arguments(name))
    shorter = ["…::" + "::".join(scopes[at:]) for at in range(1, len(scopes))]
    for each in (marked, without, *shorter):
        if len(each) <= longest:
            return each
    return shortened_middle(scopes[-1], longest)


def _with_flat_arguments(name: str) -> str:
    """Return a name whose template arguments hold no others: `Map<Pair<A, B>>` is `Map<…>`."""
    depth = 0
    kept = []
    for char in name:
        depth += char == "<"
        if depth < 2:
            kept.append(char)
        depth -= char == ">"
    return "".join(kept)


def brief_function(name: str) -> str:
    """Return a function with its class alone: `Heap::push` of `db::Heap<db::Item*>::push(int)`."""
    bare = PARAMETERS.sub("", _without_template_arguments(name))
    parts = [part for part in bare.split("::") if part]
    return short_name("::".join(parts[-2:]) or name)


def common_namespace(names: Iterable[str]) -> str:
    """Return the namespace, with its `::`, of so many names that a table says it once; or nothing.

    A scope that has classes is a namespace: `db::` of `db::Heap::push`, but no `Heap::` of
    `Heap::push`, which would be a class.
    """
    counts = Counter(
        found[1]
        for name in names
        if (found := NAMESPACE_OF_CLASS.match(_without_template_arguments(name)))
    )
    namespace, count = max(counts.items(), key=lambda each: each[1], default=("", 0))
    return namespace if count >= FEWEST_NAMED_ONCE else ""


def _without_template_arguments(name: str) -> str:
    whole = ""
    plain = name
    while plain != whole:
        whole, plain = plain, TEMPLATE_ARGUMENTS.sub("", plain)
    return plain


def _seen(char: str) -> str:
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return " " if char in "\t\r\n" else "\N{REPLACEMENT CHARACTER}"


def brief(text: str) -> str:
    """Return a text whose long words, such as checksums and file names, lack their middles."""
    return re.sub(
        rf"\S{{{LONGEST_WORD + 1},}}", lambda word: f"{word[0][:11]}…{word[0][-12:]}", text
    )


def plural(count: int, noun: str) -> str:
    """Return `1 run`, `28 runs`, `3 pages with results`."""
    return f"{count:,} {noun if count == 1 else plural_of(noun)}"


def plural_of(noun: str) -> str:
    """Return `runs` for run, `queries` for query, `scans of 1000 rows` for scan of 1000 rows."""
    first, _, rest = noun.partition(" ")
    many = f"{first[:-1]}ies" if CONSONANT_Y.search(first) else f"{first}s"
    return f"{many} {rest}".rstrip()
