"""What the map says of files: which rule a file's name fits, and what its name says."""

from collections.abc import Iterator, Mapping, Sequence

from perfpress.host.importing.archive import ResultDirectory
from perfpress.host.importing.map_file import FileRule, Use
from perfpress.input.bundles.patterns import file_pattern

COMPRESSED = (".gz", ".zst", ".xz")

FACTS = ("report", "release", "host", "config", "repeat")
"""Placeholders of rules that name what a directory is of, where the names of files hold it."""
AXIS_OF = "axis_"
"""How a placeholder begins that is the value of an axis: `{axis_rows}`."""


class Rules:
    """The rules of a map, compiled.

    A pattern that begins with `/` is for whole paths from the top of the archive on; the others are
    for paths inside a directory of results.

    Raises:
        ValueError: a pattern is none.
    """

    def __init__(self, rules: Sequence[FileRule]) -> None:
        self.rules = rules
        self._patterns = [file_pattern(rule.match) for rule in rules]

    def of(self, source: ResultDirectory, name: str) -> tuple[int, Mapping[str, str]] | None:
        """Return the position of the first rule that fits a file, and what its placeholders are."""
        whole = f"/{source.from_top(name)}"
        for position, pattern in enumerate(self._patterns):
            is_whole = self.rules[position].match.startswith("/")
            if match := pattern.fullmatch(whole if is_whole else name):
                return position, match.groupdict()
        return None

    def said(self, source: ResultDirectory) -> set[str]:
        """Return the placeholders that the names of all logs and captures of a directory fill."""
        found = list(self._used(source))
        return set(found[0]).intersection(*found[1:]) if found else set()

    def measures(self, source: ResultDirectory) -> bool:
        """Return whether a directory has numbers, or logs or captures that are imported."""
        return bool(source.numbers) or any(True for _ in self._used(source))

    def _used(self, source: ResultDirectory) -> Iterator[Mapping[str, str]]:
        """Yield what the placeholders are of each log and capture that is imported."""
        for file in source.files:
            found = self.of(source, file.name)
            if found and self.rules[found[0]].use not in ("attachment", "leave out"):
                yield found[1]

    def decides(self, path: str) -> bool:
        """Return whether a pattern for whole paths fits, so that no directory is asked."""
        whole = f"/{path}"
        return any(
            pattern.fullmatch(whole)
            for rule, pattern in zip(self.rules, self._patterns, strict=True)
            if rule.match.startswith("/")
        )


def decides_run(placeholder: str) -> bool:
    """Return whether a part of a file's name names its run; else it names the step."""
    return placeholder in FACTS or placeholder.startswith(AXIS_OF)


def stored_name(name: str, use: Use) -> str:
    """Return what a file is called in the bundle.

    Logs and captures are compressed, for they shrink to a twentieth. Attachments are as they were.
    """
    return name if use == "attachment" or name.endswith(COMPRESSED) else f"{name}.gz"
