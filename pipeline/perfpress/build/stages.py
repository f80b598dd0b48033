"""From bundles and texts to a published site: the stages in their order.

discover → check → read logs → fold → merge → analyse → render → site data → Hugo. Every stage is a
pure function of its inputs; this module hands the results of one to the next and puts the finished
site in the place of the old one. In a site that nobody else has changed, only pages that would
differ are rendered.
"""

import gc
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from perfpress.analysis.study.cached_readings import metrics_of
from perfpress.analysis.study.report_inputs import ReportInputs, report_inputs
from perfpress.analysis.study.study import StudyInputs, read_inputs
from perfpress.base.cache import Cache, key_of
from perfpress.base.checkout import ROOT
from perfpress.base.defects import defect
from perfpress.base.directory_swap import replacing, restore_interrupted, update
from perfpress.base.disk import remove, temporary_directory
from perfpress.base.display import byte_size, plural
from perfpress.base.file_tree import (
    Tree,
    changed_tree,
    folders_below,
    regular_files,
    tree_of,
    tree_state,
)
from perfpress.base.node.requests import staying_processes
from perfpress.base.problems import BadInput, Problem
from perfpress.base.system_errors import system_problem
from perfpress.base.workers import Copy
from perfpress.build import relative_links as disk
from perfpress.build.hugo import (
    configured_title,
    derived_config,
    of_other_pages,
    of_some_pages,
    parts_of,
    run_hugo,
)
from perfpress.build.inputs import Inputs, inputs_of
from perfpress.build.redirects import write_redirects
from perfpress.build.rendered import PAGE_FILES, Changes, Rendered, changes, made_from
from perfpress.build.request import BuildRequest, Watched, opened_cache, other_states, watched
from perfpress.build.retitled import changed_titles
from perfpress.build.sizes import KindSize, sizes_of
from perfpress.input.report.names_in_text import problems_of_text
from perfpress.input.report.report import text_of
from perfpress.site.directory import SiteData, SiteDirectory

MOST_BYTES = 1_000_000_000
"""What GitHub Pages publishes at most."""

GARBAGE = (50_000, 20, 100)
"""When Python looks for cycles: its own rule spent a tenth of a build on objects without any."""

WRITER = "perfpress.site.write"
"""Imported where a site has changed: pandas takes half a second to load."""

MARKER = ".perfpress"
"""An empty file that marks a site: a build replaces no other directory."""

CHANGED = Problem(
    path="the inputs",
    found="changed while the site was built",
    expected="one state of all files",
    do="build again",
    severity="warning",
)


class Built(msgspec.Struct, frozen=True):
    """What came out of a build."""

    summary: str
    problems: tuple[Problem, ...]
    sizes: tuple[KindSize, ...]
    """Of the site, by kind of page and file, the largest first."""

    @property
    def defects(self) -> int:
        """How many problems are none of the input's: the site lacks what they stopped."""
        return sum(problem.is_defect for problem in self.problems)


class Receipt(msgspec.Struct, frozen=True):
    """What the site in a directory was made from, when it was made last."""

    inputs: str
    site: str
    """The state of its files: who changes one makes this void."""
    built: Built


class Prepared(msgspec.Struct, frozen=True):
    """The data of all pages, as Hugo finds it; found by the state of its files."""

    inputs: str
    """What it was made from."""
    data: SiteData
    summary: str
    pages: int
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]
    """Texts that would stop Hugo."""


def build(request: BuildRequest, progress: Callable[[str], None]) -> Built:
    """Build the site, unless the one in `request.out` was made from the very same inputs.

    Raises:
        BadInput: no site could be made; the last good one is still in its place.
    """
    _check_directories(request)
    gc.set_threshold(*GARBAGE)
    try:
        with (
            opened_cache(request) as cache,
            cache.one_at_a_time(request.out),
            cache.one_at_a_time(request.site_data),
        ):
            restore_interrupted(request.out)
            progress("looking for changes")
            with Copy(partial(_made_before, request)) as beside:
                before = watched(request)
                inputs = inputs_of(request, before.results, cache)
                last = cache.find_value("built", key_of(str(request.out)), Receipt)
                if last is None or last.inputs != inputs.key:
                    import_module(WRITER)  # half a second, which an unchanged site does not need
                site, data = beside.made()
            if last is not None and (last.inputs, last.site) == (inputs.key, site):
                return msgspec.structs.replace(
                    last.built, summary=f"up to date; {last.built.summary}"
                )
            prepared = cache.find_value("site-data", data, Prepared)
            return _build_new(request, inputs, prepared, site, cache, before.key, progress)
    except FileNotFoundError as error:
        raise BadInput(_vanished(error)) from error
    except OSError as error:
        raise BadInput(system_problem(error, str(request.out))) from error
    except BadInput:
        raise
    except Exception as error:
        found = defect(error, "build", "it failed")
        raise BadInput(_kept(request.out, found)) from error


def _made_before(request: BuildRequest) -> tuple[str, str]:
    """Return the states of the site and of the data of its pages."""
    directories = (request.out, request.site_data)
    site, data = (_state_key(each, tree_state(each)) for each in directories)
    return site, data


def _state_key(directory: Path, state: str) -> str:
    """Return the hash of a directory and of the state that it is in."""
    return key_of(str(directory), state)


def _kept(out: Path, defect: Problem) -> Problem:
    """Return a defect that leaves nothing to publish: an empty site would replace the good one."""
    found = f"no new site was made, and the last good one stays: {defect.path}: {defect.found}"
    return msgspec.structs.replace(defect, path=str(out), found=found)


def _vanished(error: FileNotFoundError) -> Problem:
    return Problem(
        path=str(error.filename),
        found="it was removed while the site was built",
        do="build again when nobody changes the inputs or the cache",
    )


def _build_new(
    request: BuildRequest,
    inputs: Inputs,
    prepared: Prepared | None,
    site: str,
    cache: Cache,
    before: str,
    progress: Callable[[str], None],
) -> Built:
    is_new = prepared is None or prepared.inputs != inputs.data
    if prepared is None or prepared.inputs != inputs.data:
        with staying_processes():
            prepared = _prepare(request, inputs, prepared, cache, progress)
    rendered = made_from(inputs, prepared.data)
    with ThreadPoolExecutor(max_workers=1) as beside:  # Hugo is another process
        results = beside.submit(folders_below, request.results)
        tidied = beside.submit(_tidied, request.site_data, cache) if is_new else None
        last = cache.find_value("rendered", site, Rendered)  # large: not before it is needed
        tree = _render(request, prepared, rendered, last, cache, progress)
        state = tidied.result() if tidied else None
        after = Watched(results.result(), other_states(request))
    problems = prepared.problems
    sizes = sizes_of(tree.sizes)
    site = _state_key(request.out, tree.state)
    size = sum(each.bytes for each in sizes)
    if size > MOST_BYTES:
        problems = (*problems, _too_large(request.out, size))
    summary = f"{prepared.summary}; {byte_size(size)} of the {byte_size(MOST_BYTES)}"
    built = Built(f"{summary} that Pages allows", problems, sizes)
    if after.key != before:
        return msgspec.structs.replace(built, problems=(*built.problems, CHANGED))
    if not built.defects:  # else the next build tries again
        cache.keep_value("built", key_of(str(request.out)), Receipt(inputs.key, site, built))
        cache.keep_value("rendered", site, rendered)
        if state is not None:
            cache.keep_value("site-data", state, prepared)
    return built


def _tidied(site_data: Path, cache: Cache) -> str:
    """Remove what the cache need not hold any more; return the state of the data of all pages."""
    cache.collect()
    return _state_key(site_data, tree_state(site_data))


def _prepare(
    request: BuildRequest,
    inputs: Inputs,
    last: Prepared | None,
    cache: Cache,
    progress: Callable[[str], None],
) -> Prepared:
    """Write the data of all pages.

    Args:
        request: what to build.
        inputs: its inputs, by hashes.
        last: what is there from the last build; None where that is not known for sure.
        cache: holds what earlier builds made.
        progress: called with each stage.

    Raises:
        BadInput: a text names what is not there, which would stop Hugo after all other stages.
    """
    read = read_inputs(
        request.results,
        request.corrections,
        request.content,
        cache,
        request.processes,
        progress,
        inputs.states,
    )
    _check_names(request, read, cache, progress)
    # Imported here and not above: see WRITER.
    from perfpress.site.addresses import Identity
    from perfpress.site.context import SiteContext
    from perfpress.site.write import write_site_data

    reports = report_inputs(read, cache, request.processes, progress)
    published = [each for each in reports if request.drafts or not each.report.matter.draft]
    left_out = tuple(text_of(report.id) for report in read.reports if report.unreadable)
    if last is None:
        remove(request.site_data)
    written = write_site_data(
        published,
        read.problems,
        lambda address: _is_authored(request.content, address, left_out),
        SiteContext(
            identity=Identity(configured_title(), request.built_for),
            directory=SiteDirectory(request.site_data, last.data if last else None),
            cache=cache,
            processes=request.processes,
            progress=progress,
        ),
    )
    if not written.pages and (defects := [each for each in written.problems if each.is_defect]):
        raise BadInput(*(_kept(request.out, each) for each in defects))
    return Prepared(
        inputs=inputs.data,
        data=written.data,
        summary=_summary(published, written.pages),
        pages=written.pages,
        problems=tuple(written.problems),
        left_out=left_out,
    )


def _check_names(
    request: BuildRequest, read: StudyInputs, cache: Cache, progress: Callable[[str], None]
) -> None:
    problems: list[Problem] = []
    for report in read.reports:
        if request.drafts or not report.matter.draft:
            runs, corrections = read.runs_of(report), read.corrections_of(report)
            bundles = [run.bundle for run in runs]
            metrics = partial(metrics_of, bundles, cache, progress, request.processes)
            problems += problems_of_text(request.content, report, runs, corrections, metrics)
    if problems:
        raise BadInput(*problems)


def _render(
    request: BuildRequest,
    prepared: Prepared,
    rendered: Rendered,
    last: Rendered | None,
    cache: Cache,
    progress: Callable[[str], None],
) -> Tree:
    """Have Hugo write the pages that differ from the last site's, or all.

    Args:
        request: what to build.
        prepared: the data of all pages.
        rendered: what the site is to be.
        last: what the one that is there is; None where that is not known.
        cache: gives Hugo a place.
        progress: called with what it does.

    Returns:
        The files of the site.
    """
    config = derived_config(
        request.content, request.site_data, request.built_for, prepared.left_out
    )
    if last is not None and last.shared == rendered.shared and not request.is_for_disk:
        found = changes(last, rendered)
        changed, left = changed_titles(request, found.retitled, last, rendered)
        pages = tuple(sorted((*found.pages, *left)))
        if len(pages) < len(rendered.pages) / 2:
            progress(f"writing {len(pages)} of {len(rendered.pages)} pages")
            found = msgspec.structs.replace(found, pages=pages)
            tree = _render_some(request, config, rendered, found, changed, cache)
            if tree is not None:
                return tree
    progress(f"writing {prepared.pages} pages")
    with cache.working() as work, replacing(request.out) as staging:
        _render_all(request, config, rendered, work, staging)
        write_redirects(request.site_data, rendered.redirects, (), staging)
        if request.is_for_disk:
            disk.make_readable(staging)
        (staging / MARKER).touch()
    return tree_of(request.out)


def _render_all(
    request: BuildRequest, config: dict[str, Any], rendered: Rendered, work: Path, out: Path
) -> None:
    """Have Hugo write all pages, those of reports in parts; the first also has all else."""
    parts = parts_of(sorted(rendered.titles), request.site_data)[1:]
    later = [path for part in parts for path in part]
    if later:
        run_hugo(of_other_pages(config, later), request.content, work, out, request.drafts)
    if not later or any(_is_page(out, path) for path in later):  # a text has its address
        run_hugo(config, request.content, work, out, request.drafts)
        return
    for part in parts:
        run_hugo(of_some_pages(config, part), request.content, work, out, request.drafts)


def _is_page(site: Path, path: str) -> bool:
    return (site / path.lstrip("/") / PAGE_FILES[0]).is_file()


def _render_some(
    request: BuildRequest,
    config: dict[str, Any],
    rendered: Rendered,
    found: Changes,
    changed: Mapping[Path, bytes],
    cache: Cache,
) -> Tree | None:
    """Render some pages, and put them in the place of the last ones.

    Args:
        request: what to build.
        config: for Hugo.
        rendered: the whole site.
        found: what to render.
        changed: files of the last site with other contents.
        cache: gives Hugo a place.

    Returns:
        The files of the site; None where a page did not come out, as Hugo gives it another address.
    """
    with (
        cache.working() as work,
        temporary_directory(f".{request.out.name}.new-", request.out.parent) as new,
        ThreadPoolExecutor(max_workers=1) as beside,  # Hugo is another process
    ):
        there = beside.submit(tree_of, request.out)
        for part in parts_of(found.pages, request.site_data):
            some = of_some_pages(config, part)
            run_hugo(some, request.content, work, new, request.drafts)
        if not all(_is_page(new, path) for path in found.pages):
            return None
        for file, content in changed.items():
            target = new / file.relative_to(request.out)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        for name in found.files:
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(request.site_data / "static" / name, new / name)
        write_redirects(request.site_data, found.redirects, rendered.pages, new)
        pages = [
            f"{path}/{name}".lstrip("/")
            for path in (*found.pages, *found.gone_pages)
            for name in PAGE_FILES
        ]
        gone = [name for name in pages if not (new / name).is_file()] + [*found.gone_files]
        written = [path.relative_to(new).as_posix() for path in regular_files(new)]
        change = partial(update, request.out, new, gone)
        return changed_tree(there.result(), request.out, [*written, *gone], change)


def _too_large(out: Path, size: int) -> Problem:
    return Problem(
        path=str(out),
        found=byte_size(size),
        expected=f"at most {byte_size(MOST_BYTES)}, which is what GitHub Pages publishes",
        do="move old reports to an archive, or serve the site elsewhere",
        severity="warning",
    )


def _is_authored(content: Path, address: str, left_out: Sequence[str]) -> bool:
    """Return whether somebody wrote a text at an address; it is then not replaced."""
    page = Path(address.strip("/"))
    places = (page.with_name(f"{page.name}.md"), page / "index.md", page / "_index.md")
    return any((content / each).is_file() and str(each) not in left_out for each in places)


def _summary(reports: Sequence[ReportInputs], pages: int) -> str:
    runs = sum(len(each.runs) for each in reports)
    return ", ".join(
        (plural(len(reports), "report"), plural(runs, "run"), plural(pages, "page with results"))
    )


def _check_directories(request: BuildRequest) -> None:
    """Refuse a directory that is not there: an empty site would replace the good one.

    Raises:
        BadInput: results or content are missing.
    """
    _check_out(request)
    missing = [
        Problem(path=str(path), found="no such directory", expected=f"the {what}", do="check it")
        for path, what in ((request.results, "results"), (request.content, "texts"))
        if not path.is_dir()
    ]
    if missing:
        raise BadInput(*missing)


def _check_out(request: BuildRequest) -> None:
    """Refuse to replace a directory that is not a site made by an earlier build.

    Raises:
        BadInput: the directory holds something else, or what the site is made from.
    """
    out = request.out
    inside = [
        path
        for path in (request.results, request.corrections, request.content, ROOT, Path.cwd())
        if path.is_relative_to(out)
    ]
    foreign = out.is_dir() and any(out.iterdir()) and not (out / MARKER).is_file()
    if inside or foreign or (out.exists() and not out.is_dir()):
        found = f"it holds {inside[0]}" if inside else "something that is no site of ours"
        raise BadInput(
            Problem(
                path=str(out),
                found=found,
                expected="a new or empty directory, or a site from an earlier build",
                do="name another directory with --out: it is replaced as a whole",
            )
        )
