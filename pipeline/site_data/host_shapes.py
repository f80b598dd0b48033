"""The shapes of the pages of hosts; see `shapes`."""

import msgspec

from pipeline.site_data.page_shapes import Place
from pipeline.site_data.shapes import Fact, Table


class HostPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="host"
):
    """`/hosts/<host>/`: what ran there."""

    place: Place
    facts: tuple[Fact, ...]
    """How many runs there are, and from when to when."""
    machine: Table | None
    """What its bundles say of the machine; None where they say nothing."""
    releases: Table
    """A row a report and release, newest first."""
    runs: Table
    """A row a run, newest first."""


class HostsPage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="hosts"
):
    """`/hosts/`."""

    place: Place
    hosts: Table
