"""What writing a site needs besides its reports."""

from collections.abc import Callable
from dataclasses import dataclass

from perfpress.base.cache import Cache
from perfpress.site.addresses import Identity
from perfpress.site.directory import SiteDirectory


@dataclass(frozen=True)
class SiteContext:
    """The same for all reports of a site."""

    identity: Identity
    directory: SiteDirectory
    """Takes all files."""
    cache: Cache
    """Holds what earlier builds rendered."""
    processes: int
    """How many render at the same time."""
    progress: Callable[[str], None]
    """Called with each stage."""
