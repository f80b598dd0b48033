"""Reads one bundle: run.toml and the files that it names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perfpress.base.cache import file_state
from perfpress.base.limits import SMALLEST, can_be_computed_with
from perfpress.base.object_store import address_from
from perfpress.base.problems import Problem
from perfpress.base.secrets.redact import find_secrets
from perfpress.base.slugs import reserved
from perfpress.base.toml.lines import KeyPath
from perfpress.base.toml.read import Document, read_toml
from perfpress.base.toml.words import shown_key, shown_value
from perfpress.input.bundles.content_hash import FileFact, content_hash, file_fact, run_id
from perfpress.input.bundles.manifest import read_manifest
from perfpress.input.bundles.patterns import is_pattern
from perfpress.input.bundles.safety import path_problem, safe_files, shown_name
from perfpress.input.bundles.schema import FILE_NAME, Run, Step, is_description
from perfpress.input.bundles.steps import resolve_steps
from perfpress.input.bundles.variant import Variant, variant_of
from perfpress.input.logs.metric_names import unit_of


@dataclass(frozen=True)
class Bundle:
    """One run with all its files."""

    directory: Path
    shown_as: str
    """The directory as messages and pages name it."""
    run: Run
    """As run.toml says; its steps may be patterns."""
    run_id: str
    content_hash: str
    variant: Variant
    steps: tuple[Step, ...]
    """Patterns resolved: `logs`, `captures` and the keys of `formats` are names of files."""
    files: Sequence[FileFact]
    """All files, run.toml too, sorted by name."""
    archived: str = ""
    """The address of the files as the manifest has it, where they are not in the directory."""

    @property
    def store(self) -> str:
        """The address of an archived bundle's files; a relative one leads from the bundle."""
        return address_from(self.archived, self.directory)

    def shown(self, name: str) -> str:
        """Return a file's name for messages and pages."""
        return f"{self.shown_as}/{shown_name(name)}"

    def file_states(self) -> list[tuple[int, ...]]:
        """Return what changes when a file is written or replaced, of all files."""
        return [file_state(self.directory / file.name) for file in self.files]

    def is_unchanged(self) -> bool:
        """Return whether the files still hold what they held when they were listed."""
        try:
            return all(file_fact(self.directory, file.name) == file for file in self.files)
        except OSError:
            return False


def read_bundle(directory: Path, shown_as: str) -> tuple[Bundle | None, list[Problem]]:
    """Return a bundle and what is wrong with it; no bundle where anything is an error.

    Opens run.toml and takes the checksums of all files. What the files hold is for
    `perfpress.input.bundles.contents` to check, and for the parsers.
    """
    names, problems = files_in(directory, shown_as)
    if problems:
        return None, problems
    manifest, problems = read_manifest(directory, shown_as)
    if problems:
        return None, problems
    if FILE_NAME not in names:
        do = "name the directory that holds it, or draft one: perfpress init DIR"
        return None, [Problem(path=shown_as, found=f"no {FILE_NAME}", expected="one", do=do)]
    read = read_toml(directory / FILE_NAME, f"{shown_as}/{FILE_NAME}", Run)
    if read.value is None or read.document is None:
        return None, list(read.problems)
    run, document = read.value, read.document
    if manifest is not None:
        names = [file.name for file in manifest.files]
    problems = list(statement_problems(run, document))
    if problems:
        return None, problems
    steps, problems = resolve_steps(run, names, document)
    problems += _attachment_problems(run, names, document)
    problems += _missing_files(run, names, document)
    if problems:
        return None, problems
    here = [FILE_NAME] if manifest is not None else names
    files, problems = _file_facts(directory, here, shown_as)
    if problems:
        return None, problems
    if manifest is not None:
        files = sorted([*files, *manifest.stored])
    whole = content_hash(files)
    bundle = Bundle(
        directory=directory,
        shown_as=shown_as,
        run=run,
        run_id=run_id(run.started, whole),
        content_hash=whole,
        variant=variant_of(run),
        steps=steps,
        files=tuple(files),
        archived=manifest.address if manifest is not None else "",
    )
    return bundle, list(_unnamed_files(bundle))


def _file_facts(
    directory: Path, names: Sequence[str], shown_as: str
) -> tuple[list[FileFact], list[Problem]]:
    facts: list[FileFact] = []
    problems: list[Problem] = []
    for name in names:
        try:
            facts.append(file_fact(directory, name))
        except OSError as error:
            found = f"cannot be read ({error.strerror})"
            path = f"{shown_as}/{shown_name(name)}"
            problems.append(Problem(path=path, found=found, expected="a readable file"))
    return facts, problems


def files_in(directory: Path, shown_as: str) -> tuple[list[str], list[Problem]]:
    """Return the names of a directory's files, sorted, and why it can be no bundle, if it cannot.

    As `safe_files`, for a name that a person gave: it may be no directory at all.
    """
    try:
        return safe_files(directory, shown_as)
    except NotADirectoryError:
        found, do = "a file", f"name the directory that holds it: {Path(shown_as).parent}"
    except FileNotFoundError:
        found, do = "no such directory", "correct the name"
    except OSError as error:
        found, do = f"cannot be read ({error.strerror})", "let it be read"
    return [], [Problem(path=shown_as, found=found, expected="the directory of a run", do=do)]


def statement_problems(run: Run, document: Document) -> Iterator[Problem]:
    """Yield what the schema cannot check: reserved names, paths that lead elsewhere, units."""

    def problem(found: str, expected: str, do: str, *path: str | int) -> Problem:
        line = document.line(*path)
        return Problem(path=document.shown_as, line=line, found=found, expected=expected, do=do)

    # The bytes of run.toml are searched with those of all files; escapes hide a secret from that.
    for path, text in _texts(document.values):
        for secret in find_secrets(text):
            yield problem(f"a secret ({secret.what})", "none", "remove it: this is shown", *path)
    for path, text in _names(document.values):
        if not text.isprintable():
            found = f"the control character {_first_control(text)} in `{shown_key(path)}`"
            yield problem(found, "characters that can be seen", "remove it", *path)
    if run.started is not None and not 1970 <= run.started.year <= 9000:
        yield problem(f"`started` is {run.started}", "a date of this age", "correct it", "started")
    for level, name in (("report", run.report), ("release", run.release), ("host", run.host)):
        if reserved(name, level):  # type: ignore[arg-type]
            found = f"a {level} may not be called {shown_value(name)}"
            yield problem(found, "a name that no other page has", "choose another name", level)
    named: list[tuple[str, tuple[str | int, ...]]] = [
        (name, ("attachments",)) for name in run.attachments
    ]
    for index, step in enumerate(run.steps):
        for key, patterns in (
            ("logs", step.logs),
            ("captures", step.captures),
            ("formats", (*step.formats, *descriptions_of(step))),
            ("match", (step.match,) if step.match else ()),
        ):
            named += [(pattern, ("step", index, key)) for pattern in patterns]
        for name, metric in step.metrics.items():
            if metric.file:
                named.append((metric.file, ("step", index, "metrics", name)))
            if not can_be_computed_with(metric.value):
                found = f"{shown_value(name)} of {metric.value}"
                expected = f"0, or a number from {SMALLEST} on"
                yield problem(found, expected, "correct it", "step", index, "metrics", name)
            unit = unit_of(name)
            if unit is not None and metric.unit != unit:
                found = f"{shown_value(name)} in {shown_value(metric.unit)}"
                expected = f"{shown_value(unit)}, as logs state it"
                do = "convert it, or give the metric a name of its own"
                yield problem(found, expected, do, "step", index, "metrics", name)
    for pattern, path in named:
        if found := path_problem(pattern):
            do = "copy the file into the bundle and name it from there"
            yield problem(found, "a path inside the bundle", do, *path)


def _names(values: Any) -> Iterator[tuple[KeyPath, str]]:
    """Yield all one-line texts, and all keys; not those that may be whole files."""
    for path, text in _texts(values):
        if path[0] not in ("tools", "machine") and path[-1] != "command":
            yield path, text
    yield from _keys(values)


def _first_control(text: str) -> str:
    return next(f"U+{ord(char):04X}" for char in text if not char.isprintable())


def _attachment_problems(run: Run, names: Sequence[str], document: Document) -> Iterator[Problem]:
    for name in run.attachments:
        if name not in names:
            wildcard = is_pattern(name)
            yield Problem(
                path=document.shown_as,
                line=document.line("attachments"),
                found=f"no file {shown_value(name)}",
                expected="a file name, not a pattern" if wildcard else "a file of the bundle",
                do="name each attachment" if wildcard else "add it, or remove it from attachments",
            )


def _missing_files(run: Run, names: Sequence[str], document: Document) -> Iterator[Problem]:
    """Yield which tables of metrics and descriptions of formats are not there."""
    for index, step in enumerate(run.steps):
        for name, metric in step.metrics.items():
            if metric.file is not None and metric.file not in names:
                yield Problem(
                    path=document.shown_as,
                    line=document.line("step", index, "metrics", name),
                    found=f"no file {shown_value(metric.file)}",
                    expected="the table that holds the metric",
                    do="add it, or remove `file` and `line`",
                )
        for name in descriptions_of(step):
            if name not in names:
                yield Problem(
                    path=document.shown_as,
                    line=document.line("step", index, "formats"),
                    found=f"no file {shown_value(name)}",
                    expected="the description of a format",
                    do="add it, or name a format that is known",
                )


def descriptions_of(step: Step) -> Iterator[str]:
    """Yield the names of the files that describe formats of a step."""
    return filter(is_description, step.formats.values())


def tables_of(step: Step) -> Iterator[str]:
    """Yield the names of the files from which metrics of a step were copied."""
    return (metric.file for metric in step.metrics.values() if metric.file)


def _unnamed_files(bundle: Bundle) -> Iterator[Problem]:
    """Yield a warning for files that nothing will read."""
    named = {FILE_NAME, *bundle.run.attachments}
    for step in bundle.steps:
        named |= {*step.logs, *step.captures, *tables_of(step), *descriptions_of(step)}
    unnamed = [file.name for file in bundle.files if file.name not in named]
    if unnamed:
        some = ", ".join(map(shown_name, unnamed[:3])) + (" …" if len(unnamed) > 3 else "")
        yield Problem(
            path=bundle.shown_as,
            found=f"{len(unnamed)} of {len(bundle.files)} files are named by nothing: {some}",
            expected="each under logs, captures or attachments",
            do=f"name them in {FILE_NAME}, or remove them",
            severity="warning",
        )


def _keys(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield all keys of a TOML value, with their paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key
            yield from _keys(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _keys(inner, (*path, index))


def _texts(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield all texts in a TOML value, escapes resolved, with their keys."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))
