"""What to build from what, and which files that is."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from perfpress.base.cache import Cache, key_of, shared_by_machines
from perfpress.base.checkout import ROOT
from perfpress.base.cluster import Cluster
from perfpress.base.file_tree import Folder, folders_below, tree_state
from perfpress.build import relative_links as disk

CACHE = ROOT / "data" / ".cache"
DEFAULT_RESULTS = ROOT / "data" / "results"
TEMPLATES = ("layouts", "assets", "static", "hugo.toml")
"""What the pages are made with, apart from the pipeline itself."""


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
    shared_cache: str | None = None
    """The address of a cache that machines share."""
    dask: str | None = None
    """The address of a Dask scheduler whose workers fill that cache."""

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


@contextmanager
def opened_cache(request: BuildRequest) -> Iterator[Cache]:
    """Give the cache of a build, with the machines that share and fill it.

    Raises:
        BadInput: there is no such cluster, or none of this version.
    """
    with ExitStack() as opened:
        cache = opened.enter_context(shared_by_machines(request.cache, request.shared_cache))
        if request.dask is not None:
            cache.cluster = opened.enter_context(Cluster(request.dask))
        yield cache


class Watched(NamedTuple):
    """The states of all inputs; quick to ask for again and again."""

    results: Mapping[str, Folder]
    """Their directories that hold files, by path."""
    others: tuple[str, ...]

    @property
    def key(self) -> str:
        """The hash of them all."""
        return key_of([(path, each.state) for path, each in self.results.items()], self.others)


def watched(request: BuildRequest) -> Watched:
    """Return the states of the inputs: one differs when a file does."""
    return Watched(folders_below(request.results), other_states(request))


def other_states(request: BuildRequest) -> tuple[str, ...]:
    """Return the states of the inputs but results, which Hugo does not read."""
    others = (request.corrections, request.content, *(ROOT / name for name in TEMPLATES))
    return tuple(map(tree_state, others))
