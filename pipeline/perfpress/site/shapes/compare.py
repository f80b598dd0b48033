"""The shapes of the page that compares any two releases in the browser, and of its data."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from perfpress.site.shapes.blocks import Table
from perfpress.site.shapes.pages import Page


class ComparePage(Page, frozen=True, kw_only=True):
    """`/reports/<report>/compare/`."""

    summary: tuple[str, ...]
    data: str
    """Address of the `CompareChoices`."""
    functions: Table
    """Empty: the script fills in rows and the releases in the heads."""
    built: tuple[Table, ...]
    """The pairs that have their own diff page: a table per variant."""


class CompareName(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader can choose."""

    id: str
    """Names it in links, as in addresses."""
    label: str


class CompareStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step."""

    id: str
    label: str
    rate_unit: str
    cells: str
    """Address of its `CompareCells`."""


class CompareRename(msgspec.Struct, frozen=True, kw_only=True):
    """A rename."""

    what: Literal["release", "step", "variant"]
    old: str
    new: str
    words: str


class CompareCost(msgspec.Struct, frozen=True, kw_only=True):
    """What an operation costs, in the profile's unit; `value` × `factor` is in `unit`."""

    value: float
    factor: float
    unit: str


class CompareProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One profile of a cell."""

    event: str
    unit: str
    url: str
    captures: str = ""
    """Address of what its single captures weigh; empty where that is not known."""
    work: str
    """How its operations are known, or why they are not."""
    main: bool = False
    """Of the event that tables and diffs are of."""
    operations: float | None = None
    cost_of: str = ""
    """By the author's rates: the operation that costs are percent of."""
    seconds: float | None = None
    """That it covers."""
    scope: str = ""
    cost: CompareCost | None = None
    warnings: tuple[str, ...] = ()
    """What is poor in it."""


class CompareCell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A release, variant and step that was measured; all three by their ids."""

    release: str
    variant: str
    step: str
    metrics: dict[str, float] = {}
    """Medians by the metric's name."""
    missing: str = ""
    """Why there is no throughput."""
    profiles: tuple[CompareProfile, ...] = ()
    """The first by rank comes first."""
    diffs: dict[str, str] = {}
    """By the id of a release of the same variant: the address of the built diff against it."""
    verdicts: dict[str, str] = {}
    """By the id of a release of the same variant: the verdict against it."""
    notices: tuple[str, ...] = ()
    """Corrections."""


class CompareMetric(msgspec.Struct, frozen=True, kw_only=True):
    """A number of both sides that the comparison opens with."""

    key: str
    label: str
    unit: str
    """Empty where it is the step's."""


class ComparisonWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a comparison, on built pages and on the page that compares any two."""

    heading: str
    """With `{step}`, `{after}` and `{base}` to fill in."""
    functions: str
    """Caption of the table of functions, with `{base}` and `{after}`."""
    cost: str
    not_known: str
    no_change_known: str
    no_common_event: str
    no_common_cost: str


class CompareCells(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of one step; a file of its own, fetched when the step is chosen."""

    cells: tuple[CompareCell, ...]


class CompareChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What the script of the page knows before it fetches the cells of a step."""

    base: str
    """The id of the report's base release."""
    step: str
    """The id of the step that is compared first."""
    metrics: tuple[CompareMetric, ...]
    words: ComparisonWords
    releases: tuple[CompareName, ...]
    variants: tuple[CompareName, ...]
    """The default one first."""
    steps: tuple[CompareStep, ...]
    renames: tuple[CompareRename, ...]
    aliases: dict[str, tuple[str, ...]]
    """By name-match key: the keys that are the same function."""
    overdispersion: Mapping[str, float]
    """By event: how much more than counts of samples its captures vary."""
