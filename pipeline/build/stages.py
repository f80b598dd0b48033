"""From bundles and texts to a published site: the stages in their order.

discover → check → read logs → fold → merge → analyse → render → site data → Hugo. Every stage is a
pure function of its inputs; this module hands the results of one to the next and puts the finished
site in the place of the old one.
"""

import contextlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pipeline.build import disk
from pipeline.build.cache import (
    ROOT,
    Cache,
    key_of,
    node_version_key,
    python_version_key,
    regular_files,
    tree_hash,
)
from pipeline.build.hugo import configured_title, derived_config, run_hugo
from pipeline.build.replacing import one_at_a_time, replacing, restore_interrupted
from pipeline.display import byte_size, plural
from pipeline.problems import BadInput, Problem
from pipeline.report.report import text_of
from pipeline.study.study import Study, read_studies

CACHE = ROOT / "data" / ".cache"
DEFAULT_RESULTS = ROOT / "data" / "results"
MOST_BYTES = 1_000_000_000
"""What GitHub Pages publishes at most."""
TEMPLATES = ("layouts", "assets", "static", "hugo.toml")
"""What the pages are made with, beside the pipeline itself."""

MARKER = ".perfpress"
"""An empty file that tells a site from other directories, which a build never replaces."""

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
        """Corrections stand beside the results that they correct."""
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


def build(request: BuildRequest, tell: Tell) -> Built:
    """Build the site, unless the one in `request.out` was made from the very same inputs.

    Raises:
        BadInput: no site could be made; the last good one is still in its place.
    """
    _check_directories(request)
    with (
        one_at_a_time(request.cache / "locks", request.out),
        one_at_a_time(request.cache / "locks", request.site_data),
    ):
        restore_interrupted(request.out)
        restore_interrupted(request.site_data)
        tell("looking for changes")
        key = inputs_key(request)
        receipt = request.cache / "built" / f"{key_of(str(request.out))[:16]}.json"
        last = _read_receipt(receipt, key)
        if last is not None and (request.out / "index.html").is_file():
            return msgspec.structs.replace(last, summary=f"up to date; {last.summary}")
        built = _build_new(request, tell)
        if built.defects:  # the next build tries again
            receipt.unlink(missing_ok=True)
            return built
        receipt.parent.mkdir(parents=True, exist_ok=True)
        receipt.write_bytes(msgspec.json.encode({"key": key, "built": built}))
        return built


def _build_new(request: BuildRequest, tell: Tell) -> Built:
    # Imported here because pandas takes a second to load and an unchanged site does not need it.
    from pipeline.site_data.feeds import Identity
    from pipeline.site_data.write import write_site_data

    cache = Cache(request.cache)
    studies, problems = read_studies(
        request.results, request.corrections, request.content, cache, request.processes, tell
    )
    published = [study for study in studies if request.drafts or not study.report.draft]
    left_out = [text_of(study.report.id) for study in studies if study.report.unreadable]
    with replacing(request.site_data) as staging:
        pages, problems = write_site_data(
            staging,
            published,
            problems,
            Identity(configured_title(), request.built_for),
            lambda address: _is_authored(request.content, address, left_out),
            cache,
            request.processes,
            tell,
        )
    tell(f"writing {pages} pages")
    with replacing(request.out) as staging, tempfile.TemporaryDirectory() as work:
        config = derived_config(request.content, request.site_data, request.built_for, left_out)
        run_hugo(config, request.content, Path(work), staging, request.drafts)
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
    """Tell whether somebody wrote a text at an address; it is then not replaced."""
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


def _read_receipt(path: Path, key: str) -> Built | None:
    """Return what the last build made, if it was made from the same inputs."""
    try:
        receipt = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return msgspec.convert(receipt["built"], Built) if receipt["key"] == key else None
