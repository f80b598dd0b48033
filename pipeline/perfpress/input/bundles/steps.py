"""Resolves the steps of run.toml: patterns become steps with the files that they match."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from perfpress.base.limits import LIMITS
from perfpress.base.problems import Problem
from perfpress.base.slugs import collisions, reserved
from perfpress.base.toml.read import Document
from perfpress.base.toml.words import shown_value
from perfpress.input.bundles.patterns import file_pattern, fill, is_pattern, unclosed
from perfpress.input.bundles.schema import FILE_NAME, Run, Step

MOST_STEPS = 2000
MOST_FILES = LIMITS.files
"""Named by all steps together, each as often as a step names it: a build reads and lists each."""


@dataclass(frozen=True)
class _Place:
    """Position of a step in run.toml, for messages."""

    document: Document
    index: int

    def problem(self, key: str, found: str, expected: str = "", do: str = "") -> Problem:
        line = self.document.line("step", self.index, key)
        return Problem(
            path=self.document.shown_as, line=line, found=found, expected=expected, do=do
        )


def resolve_steps(
    run: Run, files: Sequence[str], document: Document
) -> tuple[tuple[Step, ...], list[Problem]]:
    """Return the steps with patterns replaced by the matching files, and the problems.

    Args:
        run: what run.toml says.
        files: the names of all files in the bundle.
        document: run.toml as read, for the lines of messages.

    Returns:
        Steps without `match`, whose `logs`, `captures` and keys of `formats` are names of files.
    """
    resolver = _Resolver([name for name in sorted(files) if name != FILE_NAME], run)
    steps: list[tuple[Step, _Place]] = []
    named = 0
    places = [_Place(document, index) for index in range(len(run.steps))]
    for stated, place in zip(run.steps, places, strict=True):
        for step in resolver.resolve(stated, place):
            steps.append((step, place))
            named += len(step.logs) + len(step.captures)
            if len(steps) > MOST_STEPS:
                found, expected = f"more than {MOST_STEPS} steps", f"at most {MOST_STEPS}"
                return (), [place.problem("match", found, expected, "split the run")]
            if named > MOST_FILES:
                found = f"the steps up to here name {named} files, many of them again and again"
                do = "name each file in the step that it was recorded in; or split the run"
                key = "captures" if step.captures else "logs"
                return (), [place.problem(key, found, f"at most {MOST_FILES} in all", do)]
    resolver.problems += _name_problems(steps)
    return tuple(step for step, _ in steps), resolver.problems


class _Resolver:
    """Resolves the steps of one run; gathers the problems met on the way."""

    def __init__(self, files: Sequence[str], run: Run) -> None:
        self.files = files
        self.run = run
        self.problems: list[Problem] = []

    def resolve(self, step: Step, place: _Place) -> Iterator[Step]:
        """Yield the steps of one entry."""
        if step.match is None:
            yield self._with_files(step, {}, place)
            return
        pattern = self._compiled(step.match, "match", place)
        if pattern is None:
            return
        for key, template in (("name", step.name), ("operation", step.operation)):
            if rest := unclosed(template):
                found = f"a brace that begins or ends no placeholder: {shown_value(rest)}"
                self.problems.append(place.problem(key, found, "{name}", "close it, or remove it"))
        matches = [match for match in map(pattern.fullmatch, self.files) if match]
        if not matches:
            found = f"no file fits {shown_value(step.match)}"
            self.problems.append(place.problem("match", found, "one or more", self._have()))
        if "{clients}" not in step.name:
            self._agree_on_clients(matches, place)
        for match in matches:
            yield self._for_match(step, match, place)

    def _for_match(self, step: Step, match: re.Match[str], place: _Place) -> Step:
        values = match.groupdict()
        filled = msgspec.structs.replace(
            step,
            match=None,
            name=self._filled(step.name, values, "name", place),
            operation=self._filled(step.operation, values, "operation", place),
            logs=tuple(self._filled(name, values, "logs", place) for name in step.logs),
            captures=tuple(self._filled(name, values, "captures", place) for name in step.captures),
        )
        with_files = self._with_files(filled, values, place)
        logs = dict.fromkeys((match[0], *with_files.logs))
        return msgspec.structs.replace(with_files, logs=tuple(logs))

    def _agree_on_clients(self, matches: Sequence[re.Match[str]], place: _Place) -> None:
        """Report files whose names hold another number of clients than the run has."""
        clients = str(self.run.clients)
        others = [
            match for match in matches if match.groupdict().get("clients", clients) != clients
        ]
        if others and self.run.clients is not None:
            first = others[0]
            self.problems.append(
                place.problem(
                    "match",
                    f"{len(others)} of {len(matches)} files have another number of clients: "
                    f"{shown_value(first[0])} has {first['clients']}",
                    f"{clients}, as the run says",
                    f"put {clients} in the place of {{clients}}, or {{clients}} into name",
                )
            )

    def _with_files(self, step: Step, values: Mapping[str, str], place: _Place) -> Step:
        formats = {
            name: format
            for pattern, format in step.formats.items()
            for name in self._expanded(
                self._filled(pattern, values, "formats", place), "formats", place
            )
        }
        return msgspec.structs.replace(
            step,
            logs=self._all(step.logs, "logs", place),
            captures=self._all(step.captures, "captures", place),
            formats=formats,
        )

    def _all(self, patterns: Sequence[str], key: str, place: _Place) -> tuple[str, ...]:
        names = [name for pattern in patterns for name in self._expanded(pattern, key, place)]
        return tuple(dict.fromkeys(names))

    def _expanded(self, pattern: str, key: str, place: _Place) -> list[str]:
        """Return the files that a name or pattern matches."""
        if not is_pattern(pattern):
            found = [pattern] if pattern in self.files else []
        else:
            compiled = self._compiled(pattern, key, place)
            if compiled is None:
                return []
            found = [name for name in self.files if compiled.fullmatch(name)]
        if not found:
            text = f"no file {shown_value(pattern)}"
            self.problems.append(place.problem(key, text, "a file of the bundle", self._have()))
        return found

    def _compiled(self, pattern: str, key: str, place: _Place) -> re.Pattern[str] | None:
        try:
            return file_pattern(pattern)
        except ValueError as error:
            do = "put the text between them in the file names"
            self.problems.append(place.problem(key, str(error), do=do))
            return None

    def _filled(self, template: str, values: Mapping[str, str], key: str, place: _Place) -> str:
        try:
            return fill(template, values) if values else template
        except KeyError as error:
            known = ", ".join(f"{{{name}}}" for name in values)
            found = f"{{{error.args[0]}}} in {shown_value(template)}"
            self.problems.append(place.problem(key, found, f"one of {known}, from match"))
            return template

    def _have(self) -> str:
        if not self.files:
            return "the bundle holds no files but run.toml"
        some = ", ".join(shown_value(name) for name in self.files[:3])
        more = f" and {len(self.files) - 3} more" if len(self.files) > 3 else ""
        return f"the bundle holds {some}{more}"


def _name_problems(steps: Sequence[tuple[Step, _Place]]) -> Iterator[Problem]:
    """Yield steps whose address is taken."""
    for step, place in steps:
        if reserved(step.name, "step"):
            found = f"a step may not be called {shown_value(step.name)}"
            yield place.problem("name", found, "a name no other page has", "choose another name")
    for address, positions in collisions(step.name for step, _ in steps).items():
        names = ", ".join(shown_value(steps[position][0].name) for position in positions[:3])
        found = f"{len(positions)} steps have the address {address}: {names}"
        do = "give each a name of its own (in a pattern: use every placeholder that differs)"
        yield steps[positions[1]][1].problem("name", found, "one", do)
