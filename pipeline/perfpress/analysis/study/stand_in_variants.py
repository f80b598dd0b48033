"""Chooses the variant to show where a release has no run of the wanted one.

Only like is compared with like. Where a release has no run of a variant, the nearest one that it
has may stand in, and the difference is named: the same host, clients and axes, and another
configuration. Anything else that differs makes other numbers, so nothing stands in.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from perfpress.analysis.study.study import Study
from perfpress.input.bundles.variant import Variant


@dataclass(frozen=True)
class LikeVariants:
    """The variants of a report, and which releases have runs of them."""

    variants: Mapping[str, Variant]
    """By slug, in the order of the report."""
    measured: frozenset[tuple[str, str]]
    """Releases with variants that they have runs of."""

    def family(self, variant: str) -> tuple[str, ...]:
        """Return a variant and those that differ from it in the configuration alone, near first."""
        own = self.variants[variant]
        others = (slug for slug, each in self.variants.items() if _is_near(each, own))
        return (variant, *others)

    def of_release(self, release: str, variant: str) -> str | None:
        """Return the variant that a release has runs of: itself or the nearest, if there is one."""
        found = (each for each in self.family(variant) if (release, each) in self.measured)
        return next(found, None)

    def config(self, variant: str) -> str:
        """Return the name of a variant's configuration."""
        return self.variants[variant].config or "no configuration"

    def difference(self, base: str, variant: str) -> str:
        """Return `z12a → z12b`, from the base's variant to the other; empty where they are one."""
        return "" if base == variant else f"{self.config(base)} → {self.config(variant)}"


def like_variants(study: Study) -> LikeVariants:
    """Return the variants of a study."""
    bundles = [run.bundle for run in study.runs]
    by_slug = {bundle.variant.slug: bundle.variant for bundle in bundles}
    return LikeVariants({slug: by_slug[slug] for slug in study.report.variants}, study.ran)


def _is_near(one: Variant, other: Variant) -> bool:
    same = (one.host, one.clients, one.axes) == (other.host, other.clients, other.axes)
    return same and one.config != other.config
