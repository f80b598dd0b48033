"""The variant of a run: what is held equal when releases are compared."""

from dataclasses import dataclass
from functools import cached_property

from perfpress.base.slugs import shortened, slug
from perfpress.input.bundles.schema import Run

LONGEST_SLUG = 200
"""Characters; a directory name may have 255 bytes."""


@dataclass(frozen=True, order=True)
class Variant:
    """Host, configuration, clients, and any other axis."""

    host: str
    config: str | None = None
    clients: int | None = None
    axes: tuple[tuple[str, str], ...] = ()
    """Sorted by name."""

    @cached_property
    def slug(self) -> str:
        """The variant as part of an address: `socket2--cy9c5-u--2clients--size-480m`."""
        parts = [slug(self.host)]
        if self.config is not None:
            parts.append(slug(self.config))
        if self.clients is not None:
            parts.append("1client" if self.clients == 1 else f"{self.clients}clients")
        parts += [f"{slug(name)}-{slug(value)}" for name, value in self.axes]
        return shortened("--".join(parts), LONGEST_SLUG)

    @property
    def label(self) -> str:
        """The variant in words: `socket2, cy9c5_u, 2 clients, size 480m`."""
        parts = [self.host]
        if self.config is not None:
            parts.append(self.config)
        if self.clients is not None:
            parts.append("1 client" if self.clients == 1 else f"{self.clients} clients")
        parts += [f"{name} {value}" for name, value in self.axes]
        return ", ".join(parts)


def variant_of(run: Run) -> Variant:
    """Return the variant that a run is of."""
    return Variant(run.host, run.config, run.clients, tuple(sorted(run.axes.items())))
