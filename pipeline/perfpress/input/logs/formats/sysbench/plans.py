"""Reads the plans that a test script prints before its result, one EXPLAIN a table and client.

    table 1 : explain SELECT c FROM sbtest1 WHERE id BETWEEN 5039 AND 5138
        1	SIMPLE	sbtest1	range	PRIMARY	PRIMARY	4	null	100

Below a query are the rows of MariaDB's or MySQL's EXPLAIN, separated by tabs, or the lines of
PostgreSQL's. The scripts of sysbench itself print no plans.

Where clients print theirs at the same time and across each other, nothing shows which rows belong
to which query: then no plan is kept.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median_low
from typing import NamedTuple

from perfpress.input.logs.parser import Notes, excerpt
from perfpress.input.logs.readings import Plan, PlanStep, RowEstimates

# table 1 : explain SELECT c FROM sbtest1 WHERE id=5039
QUERY = re.compile(r"table (\d+) : explain (?=\S)", re.IGNORECASE)
# explain: for scan :: explain SELECT * from sbtest%d WHERE LENGTH(c) < 0
# for: sum_ranges
# for points-covered
ANNOUNCED = re.compile(r"explain: |for:? [\w-]+(?:explain: .*)?$")

MOST_PLANS = 200
"""Different queries, and lines of one plan, that are kept: a test sends ten queries at most."""
LONGEST_QUERY = 1 << 16
"""Characters; longer ones are read again each time."""
LONGEST_ROW = 1000
LONGEST_COUNT = 15
"""Digits of a number of rows."""

BEFORE_TYPE = ("id", "select_type", "table")
UP_TO_ROWS = ("type", "possible_keys", "key", "key_len", "ref", "rows")
MARIADB = (*BEFORE_TYPE, *UP_TO_ROWS, "Extra")
MYSQL = (*BEFORE_TYPE, "partitions", *UP_TO_ROWS, "filtered", "Extra")
"""The columns of EXPLAIN. A script that stops at a column without value prints the first only."""
# https://mariadb.com/kb/en/explain/, "Type column"; with `|filter` from MariaDB 10.4 on.
ACCESS_TYPE = re.compile(
    r"(?:hash_)?(?:system|const|eq_ref|ref|fulltext|ref_or_null|index_merge|unique_subquery"
    r"|index_subquery|range|index|ALL)(?:\|filter)?$"
)
NOT_COMPARED = {*BEFORE_TYPE, "rows", "filtered"}
"""Columns that head the operator, or that are estimates."""

# Seq Scan on sbtest1  (cost=0.00..2891.00 rows=33333 width=184)
COST = re.compile(r"\(cost=[\d.]+ rows=(\d+) width=\d+\)")

TEXT_VALUE = re.compile(r"'[^']*'")
NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")
SEVERAL_VALUES = re.compile(r"\?(?:\s*,\s*\?)+")
TABLE_NUMBER = re.compile(r"sbtest(\d+)")
INDEX_NUMBER = re.compile(r"\bk_\d+\b")
WITHOUT_DIGITS = dict.fromkeys(map(ord, "0123456789"))


class ExplainRow(NamedTuple):
    """One line of a plan, of one EXPLAIN."""

    operator: str
    rows: int | None
    table: str
    """The number in the name of the table that it reads; empty where it names none."""


@dataclass
class Explained:
    """All EXPLAINs of a query that gave the same operators."""

    first_line: int
    count: int = 0
    estimates: list[Counter[int]] = field(default_factory=list)
    """How often which number of rows was expected, one counter a line of the plan."""


class PlanNotes:
    """The plans of a log while it is read."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._query = ""
        self._table = ""
        self._rows: list[ExplainRow] = []
        self._line = 0
        self._mixed = 0
        """The first line that shows that clients printed at the same time."""
        self._queries: dict[str, str] = {}
        self._plans: dict[tuple[str, tuple[str, ...]], Explained] = {}

    def take(self, line: str, number: int) -> bool:
        """Read a line if it belongs to a plan; return whether it did."""
        if line.startswith("table ") and (found := QUERY.match(line)):
            self.end()
            self._query = self._normal(line[found.end() :])
            self._table = found[1]
            self._line = number
            return True
        if self._query and (line.startswith(("\t", " ")) or COST.search(line, 0, LONGEST_ROW)):
            if len(self._rows) < MOST_PLANS:
                self._rows.append(_row(line[:LONGEST_ROW]))
            else:
                self._notes.skip(f"line of a plan beyond the first {MOST_PLANS}", number)
            return True
        self.end()
        if line.startswith(("explain", "for")) and ANNOUNCED.match(line):
            self._notes.skip("query that is to be explained", number)
            return True
        if line.startswith("\t") and self._line:
            self._mixed = self._mixed or number
        return False

    def end(self) -> None:
        """Keep the plan that was begun, as no more of it follows."""
        if not self._query:
            return
        if not self._rows or any(row.table not in ("", self._table) for row in self._rows):
            self._mixed = self._mixed or self._line
        else:
            self._keep((self._query, tuple(row.operator for row in self._rows)))
        self._query, self._rows = "", []

    def _keep(self, key: tuple[str, tuple[str, ...]]) -> None:
        explained = self._plans.get(key)
        if explained is None:
            if len(self._plans) >= MOST_PLANS:
                self._notes.skip(f"plan beyond the first {MOST_PLANS}", self._line)
                return
            explained = Explained(self._line, estimates=[Counter() for _ in self._rows])
            self._plans[key] = explained
        explained.count += 1
        for counter, row in zip(explained.estimates, self._rows, strict=True):
            if row.rows is not None:
                counter[row.rows] += 1

    def plans(self) -> tuple[Plan, ...]:
        """Return all plans; none, with a warning, if output of several clients is interleaved."""
        if self._query and not self._rows:
            # The log breaks off before the plan.
            self._query = ""
        self.end()
        if self._mixed:
            self._notes.complain(
                line=self._mixed,
                found="plans that clients printed across each other; none is kept",
                expected="each query with its own plan below it",
                do="let one client alone explain the queries",
                severity="warning",
            )
            return ()
        return tuple(
            Plan(
                query=query,
                steps=tuple(
                    PlanStep(operator=operator, rows=_estimates(counter))
                    for operator, counter in zip(operators, explained.estimates, strict=True)
                ),
                count=explained.count,
                first_line=explained.first_line,
            )
            for (query, operators), explained in self._plans.items()
        )

    def _normal(self, query: str) -> str:
        """Return a query without its values; hundreds differ in their digits only."""
        shape = query.translate(WITHOUT_DIGITS)
        normal = self._queries.get(shape)
        if normal is None:
            normal = without_values(query)
            if len(shape) < LONGEST_QUERY and len(self._queries) < MOST_PLANS:
                self._queries[shape] = normal
        return normal


@lru_cache(maxsize=4096)
def _row(line: str) -> ExplainRow:
    """Return one row of MariaDB's or MySQL's EXPLAIN, or one line of PostgreSQL's."""
    numbered = TABLE_NUMBER.search(line)
    table = numbered[1] if numbered else ""
    if cost := COST.search(line):
        return ExplainRow(without_values(line[: cost.start()].strip()), count_of(cost[1]), table)
    cells = line.removeprefix("\t").rstrip("\t ").split("\t")
    for columns in (MARIADB, MYSQL):
        named = dict(zip(columns, cells, strict=False))
        if ACCESS_TYPE.match(named.get("type", "")):
            break
    else:
        #     3	DERIVED	null
        #   Index Cond: (id = 5039)
        text = excerpt(_same_table(" ".join(cells))) if len(cells) > 1 else without_values(cells[0])
        return ExplainRow(text.strip(), None, table)
    # In some versions the column of a list of values is named by its first: tvc_0.4705870
    named["ref"] = NUMBER.sub("?", named.get("ref", ""))
    heading = " ".join((named["id"], named["select_type"], named["table"]))
    details = ", ".join(
        f"{name} {value}" for name, value in named.items() if value and name not in NOT_COMPARED
    )
    operator = excerpt(_same_table(f"{heading}: {details}"))
    return ExplainRow(operator, count_of(named.get("rows", "")), table)


def count_of(digits: str) -> int | None:
    """Return a number of rows, tables or clients; None of any other text."""
    is_count = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_COUNT
    return int(digits) if is_count else None


def _same_table(text: str) -> str:
    """Return a text that is the same for each of the tables of a test."""
    return INDEX_NUMBER.sub("k_N", TABLE_NUMBER.sub("sbtestN", text))


def without_values(text: str) -> str:
    """Return a query or an operator with `?` for texts and numbers, fit to be shown."""
    plain = NUMBER.sub("?", TEXT_VALUE.sub("?", _same_table(text)))
    return excerpt(SEVERAL_VALUES.sub("?, …", plain))


def _estimates(counter: Counter[int]) -> RowEstimates | None:
    if not counter:
        return None
    values = sorted(counter.elements())
    return RowEstimates(lowest=values[0], median=median_low(values), highest=values[-1])
