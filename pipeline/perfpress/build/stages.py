"""From bundles and texts to a published site: the stages in their order.

discover → check → read logs → fold → merge → analyse → render → site data → Hugo. Every stage is a
pure function of its inputs; this module hands the results of one to the next and puts the finished
site in the place of the old one.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from perfpress.analysis.study.study import Study, read_studies
from perfpress.base.cache import (
    Cache,
    key_of,
    node_version_key,
    plain_name,
    python_version_key,
    regular_files,
    tree_hash,
)
from perfpress.base.checkout import ROOT
from perfpress.base.directory_swap import replacing, restore_interrupted
from perfpress.base.display import byte_size, plural
from perfpress.base.problems import BadInput, Problem
from perfpress.base.system_errors import system_problem
from perfpress.build import relative_links as disk
from perfpress.build.hugo import configured_title, derived_config, run_hugo
from perfpress.input.report.report import text_of

CACHE = ROOT / "data" / ".cache"
DEFAULT_RESULTS = ROOT / "data" / "results"
MOST_BYTES = 1_000_000_000
"""What GitHub Pages publishes at most."""
TEMPLATES = ("layouts", "assets", "static", "hugo.toml")
"""What the pages are made with, apart from the pipeline itself."""

MARKER = ".perfpress"
"""An empty file that marks a site: a build replaces no other directory."""

CHANGED = Problem(
    path="the inputs",
    found="changed while the site was built",
    expected="one state of all files",
    do="build again",
    severity="warning",
)

Tell = Callable[[str], None]


@dataclass(frozen=True)
class BuildRequest:
    """What to build from what, with absolute paths."""

    results: Path
    content: Path
    out: Path
    base_url: str
    processes: int
    drafts: bool
    cache: Path = CACHE

    @property
    def is_for_disk(self) -> bool:
        """Whether the site is to be read without a server."""
        return self.base_url == disk.ADDRESS

    @property
    def built_for(self) -> str:
        """The address that pages and feeds are written with."""
        return disk.BUILT_FOR if self.is_for_disk else self.base_url

    @property
    def corrections(self) -> Path:
        """Corrections are in a directory next to the results."""
        return self.results.parent / "corrections"

    @property
    def site_data(self) -> Path:
        """Where the derived files go: `data/site` for the checkout's own results."""
        if self.results == DEFAULT_RESULTS:
            return ROOT / "data" / "site"
        return (
            self.cache / "site" / key_of(str(self.results), str(self.content), str(self.out))[:16]
        )


class Built(msgspec.Struct, frozen=True):
    """What came out of a build."""

    summary: str
    problems: tuple[Problem, ...]

    @property
    def defects(self) -> int:
        """How many problems are none of the input's: the site lacks what they stopped."""
        return sum(problem.is_defect for problem in self.problems)


def inputs_key(request: BuildRequest) -> str:
    """Return the hash of everything that the site is made from."""
    inputs = [request.results, request.corrections, request.content]
    return key_of(
        [tree_hash([path]) for path in inputs],
        [tree_hash([ROOT / name]) for name in TEMPLATES],
        [python_version_key(), node_version_key()],
        [request.base_url, request.drafts],
    )


def watched_files(request: BuildRequest) -> dict[Path, tuple[int, int]]:
    """Return size and time of change of every input; quick to ask again and again."""
    roots = [request.results, request.corrections, request.content]
    roots += [ROOT / name for name in TEMPLATES]
    found = {}
    for path in (path for root in roots for path in regular_files(root)):
        with contextlib.suppress(FileNotFoundError):  # an editor's temporary file
            status = path.stat()
            found[path] = (status.st_size, status.st_mtime_ns)
    return found


def build(request: BuildRequest, progress: Tell) -> Built:
    """Build the site, unless the one in `request.out` was made from the very same inputs.

    Raises:
        BadInput: no site could be made; the last good one is still in its place.
    """
    _check_directories(request)
    cache = Cache(request.cache)
    try:
        with (
            cache.one_at_a_time(request.out),
            cache.one_at_a_time(request.site_data),
        ):
            restore_interrupted(request.out)
            progress("looking for changes")
            before = watched_files(request)
            key = inputs_key(request)
            last = cache.find_value("built", _receipt_key(request, key), Built)
            if last is not None:
                return msgspec.structs.replace(last, summary=f"up to date; {last.summary}")
            built = _build_new(request, cache, progress)
            if watched_files(request) != before:
                return msgspec.structs.replace(built, problems=(*built.problems, CHANGED))
            if not built.defects:  # else the next build tries again
                cache.keep_value("built", _receipt_key(request, key), built)
            return built
    except FileNotFoundError as error:
        raise BadInput(_vanished(error)) from error
    except OSError as error:
        raise BadInput(system_problem(error, str(request.out))) from error


def _receipt_key(request: BuildRequest, inputs: str) -> str:
    """Return the hash of a site and of what it was made from.

    The receipt of a build has this key, so that it is found only while nobody changed either. No
    file's bytes are read: nobody can write a file and leave its time of change (`ctime`) alone.
    """
    entries = []
    for folder, folders, files in os.walk(request.out):
        for name in (*folders, *files):
            path = Path(folder) / name
            status = path.lstat()
            facts = [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
            is_folder = stat.S_ISDIR(status.st_mode)
            entries.append([plain_name(path, request.out), status.st_mode, not is_folder and facts])
    return key_of(inputs, str(request.out), sorted(entries))


def _vanished(error: FileNotFoundError) -> Problem:
    return Problem(
        path=str(error.filename),
        found="it was removed while the site was built",
        do="build again when nobody changes the inputs or the cache",
    )


def _build_new(request: BuildRequest, cache: Cache, progress: Tell) -> Built:
    # Imported here because pandas takes a second to load and an unchanged site does not need it.
    from perfpress.site.addresses import Identity
    from perfpress.site.context import SiteContext
    from perfpress.site.directory import SiteDirectory
    from perfpress.site.write import write_site_data

    studies, problems = read_studies(
        request.results, request.corrections, request.content, cache, request.processes, progress
    )
    published = [study for study in studies if request.drafts or not study.report.draft]
    left_out = [text_of(study.report.id) for study in studies if study.report.unreadable]
    with replacing(request.site_data) as staging:
        pages, problems = write_site_data(
            published,
            problems,
            lambda address: _is_authored(request.content, address, left_out),
            SiteContext(
                identity=Identity(configured_title(), request.built_for),
                directory=SiteDirectory(staging),
                cache=cache,
                processes=request.processes,
                progress=progress,
            ),
        )
    progress(f"writing {pages} pages")
    with cache.working() as work, replacing(request.out) as staging:
        config = derived_config(request.content, request.site_data, request.built_for, left_out)
        run_hugo(config, request.content, work, staging, request.drafts)
        if request.is_for_disk:
            disk.make_readable(staging)
        (staging / MARKER).touch()
        size = sum(path.stat().st_size for path in staging.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        problems = [*problems, _too_large(request.out, size)]
    return Built(_summary(published, pages, size), tuple(problems))


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


def _summary(studies: Sequence[Study], pages: int, size: int) -> str:
    runs = sum(len(study.runs) for study in studies)
    counts = ", ".join(
        (plural(len(studies), "report"), plural(runs, "run"), plural(pages, "page with results"))
    )
    return f"{counts}; {byte_size(size)} of the {byte_size(MOST_BYTES)} that Pages allows"


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
