"""The arguments of all shortcodes."""

from collections.abc import Mapping

import msgspec


class ShortcodeArgument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An argument of a shortcode, given by its place or by its name."""

    name: str
    before: str = ""
    """What joins it to the arguments before it, to make the name of what is shown."""
    is_optional: bool = False
    choices: tuple[str, ...] = ()
    """The values of an argument that only changes the display; it may be left out."""


NAME = ShortcodeArgument(name="name")
TABLE = ShortcodeArgument(name="table", is_optional=True)
CHART = ShortcodeArgument(name="chart", is_optional=True)
VIEW = ShortcodeArgument(name="view", choices=("path", "profile"))
RELEASE = ShortcodeArgument(name="release")
STEP = ShortcodeArgument(name="step")
STEP_OF_RELEASE = ShortcodeArgument(name="step", before="/")
ANY_STEP = ShortcodeArgument(name="step", before="/", is_optional=True)
BASE = ShortcodeArgument(name="base", before="/vs/")
ANY_BASE = ShortcodeArgument(name="base", before="/vs/", is_optional=True)
NUMBER = ShortcodeArgument(name="number", before="/", is_optional=True)
VARIANT = ShortcodeArgument(name="variant", before="/@", is_optional=True)
"""The last one of every shortcode; the default variant without it."""

ARGUMENTS: Mapping[str, tuple[ShortcodeArgument, ...]] = {
    "cell": (NAME,),
    "throughput": (TABLE,),
    "relative": (TABLE,),
    "releases": (CHART,),
    "chart": (STEP,),
    "latency": (STEP,),
    "percentiles": (STEP,),
    "drilldown": (NAME, VIEW),
    "calltree": (NAME,),
    "verdicts": (RELEASE, ANY_STEP),
    "suspects": (RELEASE, STEP_OF_RELEASE, ANY_BASE),
    "flamegraph": (RELEASE, STEP_OF_RELEASE),
    "diff": (RELEASE, STEP_OF_RELEASE, BASE),
    "trace": (RELEASE, STEP_OF_RELEASE, NUMBER),
}
"""By name, without `VARIANT`."""

OF_THROUGHPUT: Mapping[str, str] = {
    "against-base": "comparison with the base",
    "against-previous": "comparison with the release before",
    "spread": "spread",
    "first-tenth": "throughput at the start of the runs",
    "last-tenth": "throughput at the end of the runs",
    "first-interval": "throughput in the first interval",
    "last-interval": "throughput in the last interval",
}
"""Numbers of a `cell` that are made of its throughput, and what each is."""
COST = "cost"
"""The number of a `cell` that its profile and its throughput give."""
