"""Copies a checked bundle atomically to its place in the results."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from perfpress.base.disk import flush, temporary_directory
from perfpress.base.problems import BadInput, Problem
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.input.bundles.discover import (
    ADDING,
    accepted_spellings,
    place_of,
    spelling_problems,
    spellings,
)
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import FILE_NAME


def add(bundle: Bundle, results: Path) -> list[str]:
    """Copy a bundle to its place; return the lines to print. The same bundle twice is one.

    Raises:
        BadInput: it claims what is another's, or its files changed meanwhile.
    """
    place = place_of(bundle)
    target = results.joinpath(*place)
    if target.exists():
        return [f"{target}: there already", *addresses(bundle)]
    check_claims(bundle, results)
    with temporary_directory(ADDING, target.parent) as above:
        unfinished = above / target.name
        _copy(bundle, unfinished)
        copied, problems = read_bundle(unfinished, bundle.shown_as)
        if copied is None or copied.content_hash != bundle.content_hash:
            changed = Problem(
                path=bundle.shown_as,
                found="the files changed while they were copied",
                expected="a bundle that nobody writes to",
                do="add it again when it is complete",
            )
            raise BadInput(changed, *problems)
        flush(unfinished)  # what is accepted outlives a power cut
        try:
            unfinished.rename(target)
        except OSError:
            if not target.exists():  # else another process added the same bundle
                raise
    return [str(target), *addresses(bundle)]


def _copy(bundle: Bundle, target: Path) -> None:
    for file in bundle.files:
        copy = target / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle.directory / file.name, copy, follow_symlinks=False)


def check_claims(bundle: Bundle, results: Path) -> None:
    """Refuse names that have the addresses of other names, and to replace another host's run.

    Raises:
        BadInput: what it claims is an accepted bundle's.
    """
    spelled = accepted_spellings(results, place_of(bundle))
    problems = spelling_problems(bundle.shown_as, spellings(bundle), spelled)
    if problems := [*problems, *_of_another_host(bundle, results)]:
        raise BadInput(*problems)


def _of_another_host(bundle: Bundle, results: Path) -> Iterator[Problem]:
    """Yield a problem where the run that a bundle replaces is another host's.

    A build does not replace it either. Here its host hears of it.
    """
    report, _, variant, _ = place_of(bundle)
    replaced = bundle.run.replaces
    if replaced is None:
        return
    for run in results.joinpath(report).glob("*/*/*"):
        host = _host_in(run.parent.name)
        if run.name == replaced and host != _host_in(variant):
            yield Problem(
                path=f"{bundle.shown_as}/{FILE_NAME}",
                found=f"`replaces` names {shown_value(replaced)}, a run of the host {host}",
                expected=f"a run of {_host_in(variant)}: a host replaces its own runs only",
                do="leave `replaces` out; whose site it is can withdraw the run: "
                "perfpress amend supersede",
            )


def _host_in(variant: str) -> str:
    """Return the host in the name of a variant's directory, `socket2--cy9c5-u--2clients`."""
    return variant.partition("--")[0]


def addresses(bundle: Bundle) -> list[str]:
    """Return the addresses that the run's pages will have."""
    report, release, _, _ = place_of(bundle)
    above = f"/reports/{report}/{release}/"
    return [f"  {above}", *(f"  {above}{slug(step.name)}/" for step in bundle.steps)]
