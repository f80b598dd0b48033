"""Archived bundles for a build: their files come from the object store, once, and are checked."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from perfpress.base.disk import temporary_directory
from perfpress.base.display import plural
from perfpress.base.limits import budget_of
from perfpress.base.pace import Pace
from perfpress.base.problems import BadInput, Problem
from perfpress.base.shared_cache import PROCESS
from perfpress.base.workers import Program, run_requests
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME

FOLDER = "archived"
"""Below the cache: bundles by their content hash."""
AT_ONCE = 100
"""Bundles whose files are fetched before they are kept."""
PROCESSES = 2


def fetched(
    bundles: Sequence[Bundle], cache: Path, progress: Callable[[str], None]
) -> tuple[list[Bundle], list[Problem]]:
    """Return bundles with their files on this disk, and what is wrong with the others.

    Args:
        bundles: archived ones among them.
        cache: directory that keeps what was fetched.
        progress: called with how many there are, and now and then with how many are left.

    Raises:
        BadInput: a store cannot be read, or has none of them: a site without its archive would
            replace the good one.
    """
    absent = [each for each in bundles if each.archived and not _place(each, cache).is_dir()]
    problems: dict[str, Problem] = {}
    if absent:
        progress(f"fetching {plural(len(absent), 'run of the archive')}")
    pace = Pace(progress, "fetching runs of the archive")
    for start in range(0, len(absent), AT_ONCE):
        pace.show(start, len(absent))
        problems |= _fetch(absent[start : start + AT_ONCE], cache)
    if absent and len(problems) == len(absent):  # the store is another one, or empty
        raise BadInput(*problems.values())
    here = [
        replace(each, directory=_place(each, cache)) if each.archived else each
        for each in bundles
        if each.shown_as not in problems
    ]
    return here, list(problems.values())


def _place(bundle: Bundle, cache: Path) -> Path:
    return cache / FOLDER / bundle.content_hash


def _fetch(bundles: Sequence[Bundle], cache: Path) -> dict[str, Problem]:
    """Fetch some bundles; return what is wrong, by the bundle's name."""
    problems: dict[str, Problem] = {}
    with temporary_directory(".working-", cache) as above:
        requests = []
        for bundle in bundles:
            directory = above / bundle.content_hash
            directory.mkdir(exist_ok=True)
            shutil.copyfile(bundle.directory / FILE_NAME, directory / FILE_NAME)
            requests.append(fetch_request(bundle, directory))
        budgets = [budget_of(sum(file.size for file in each.files)) for each in bundles]
        answers = run_requests(Program(*PROCESS), requests, PROCESSES, budgets)
        for bundle, answer in zip(bundles, answers, strict=True):
            failed = answer["result"].get("failed") if answer["ok"] else answer
            if failed:
                raise BadInput(_no_store(bundle, failed))
            wrong = wrong_files(bundle, answer["result"]["done"])
            if wrong:
                problems[bundle.shown_as] = wrong
            else:
                _place(bundle, cache).parent.mkdir(exist_ok=True)
                if not _place(bundle, cache).is_dir():
                    (above / bundle.content_hash).rename(_place(bundle, cache))
    return problems


def fetch_request(bundle: Bundle, directory: Path) -> dict[str, object]:
    """Return what the process of the store is asked for, to have the files in a directory."""
    stored = [file for file in bundle.files if file.name != FILE_NAME]
    files = [(file.name, str(directory / file.name), file.size, file.sha256) for file in stored]
    return {"do": "fetch", "address": bundle.store, "files": files}


def wrong_files(bundle: Bundle, done: Sequence[bool]) -> Problem | None:
    """Return a problem where files in the store are not those of the manifest."""
    stored = [file for file in bundle.files if file.name != FILE_NAME]
    wrong = [file.name for file, good in zip(stored, done, strict=True) if not good]
    if not wrong:
        return None
    more = f" and {plural(len(wrong) - 1, 'file')} more" if wrong[1:] else ""
    return Problem(
        path=bundle.shown_as,
        found=f"missing in {bundle.archived}, or not what the manifest says: {wrong[0]}{more}",
        expected="the bytes that were archived",
        do="restore it in the store, or take the bundle from git's history",
    )


def _no_store(bundle: Bundle, failed: dict[str, str]) -> Problem:
    found = failed.get("found") or failed.get("over") or failed.get("defect") or "no answer"
    return Problem(
        path=bundle.store,
        found=found,
        expected=f"the files of {bundle.shown_as}, which is archived there",
        do="check address, permission and network, and build again; the last good site stays",
    )
