"""Describes a kind of archive: what its file and directory names mean."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from perfpress.host.importing.archive import PACKED, ClientsOf, Home, ReadTable
from perfpress.host.importing.map_file import FILL_IN, DirectoryEntry, FileRule
from perfpress.input.bundles.patterns import WILDCARD, file_pattern


class ArchiveKind(NamedTuple):
    """One kind of archive. All of it is about names, but for tables: no other file is opened."""

    name: str
    benchmark: str
    """The program that measures; empty where it depends on the archive."""
    home: Home
    rule: Callable[[str], FileRule | None]
    """Returns a rule that fits the file of that path inside a directory of results, and the others
    of its sort; `None` where nothing is known of it."""
    entry: Callable[[str], DirectoryEntry]
    """Returns the facts in the name of a directory of results."""
    step: str
    """What steps are called, with placeholders of the rules."""
    operations: Mapping[str, str]
    """What is counted, by a pattern for steps; the first that fits."""
    groups: Callable[[str], str | None]
    """Returns the title of the group that a step belongs to in the report."""
    expected: str
    """What such archives hold, for the message where nothing of it was found."""
    place: Callable[[str], int] = lambda _: 0
    """Returns what steps are sorted by in the report; alike ones keep the order of the archive."""
    logs: Sequence[str] = ()
    """What the rules of logs say that they are, in the order in which their numbers count."""
    asks: tuple[str, ...] = ()
    """Further keys of the map that a person has to fill in: `event`, `work`."""
    clients: ClientsOf = lambda _: None
    """Returns the number of clients that a log states, where its name does not."""
    names_event: Callable[[str], bool] = lambda _: True
    """Returns whether captures of that name say what was sampled, or no capture has that name."""
    read_table: ReadTable = lambda _path, _name: None
    """Reads a table that the author computed from such results."""
    always: tuple[FileRule, ...] = ()
    """Rules that a map has even where no file needs them yet: others would take such a file."""

    def keys_to_fill_in(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the keys of the map that only a person can know, of files of these names."""
        is_known = all(map(self.names_event, names))
        return (*FILL_IN, *(key for key in self.asks if key != "event" or not is_known))

    def why_not(self, name: str) -> str:
        """Say why a file that is in no directory of results is left out."""
        if name.endswith(PACKED):
            return "packed: import it by itself"
        rule = self.rule(name.rsplit("/", 1)[-1])
        return rule.because if rule and rule.because else "in no directory of results"

    def ordered(self, rules: Iterable[FileRule]) -> list[FileRule]:
        """Return rules in the order of a map: of two that fit one file, the closer one first."""

        rules = tuple(rules)
        logs = [file_pattern(rule.match) for rule in rules if rule.use == "log"]

        def place(rule: FileRule) -> tuple[int, int, str]:
            literal = len(WILDCARD.sub("", rule.match))
            if rule.use == "log" and rule.because in self.logs:
                return self.logs.index(rule.because), 0, rule.match
            # sb.o.{test}.range{range}.pk1 fits sb.o.pgvac.insert.range100.pk1, too.
            one = WILDCARD.sub("0", rule.match)
            is_first = rule.use == "leave out" and any(log.fullmatch(one) for log in logs)
            return -1 if is_first else len(self.logs), -literal, rule.match

        return sorted(rules, key=place)
