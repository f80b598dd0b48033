"""Merges variants that differ only in configurations declared the same by the report.

What a run.toml says stays in `bundle.run`; the variant of the bundle is the one it counts for. It
takes the first configuration of its group that was measured with the same host, clients and axes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from perfpress.base.slugs import slug
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.variant import Variant


@dataclass(frozen=True)
class SameConfigs:
    """The variants that are shown as one with others."""

    variants: Mapping[str, Variant] = field(default_factory=dict)
    """By the slug that run.toml leads to: the variant that it counts for, itself where it is the
    first of its group. Those with nothing to be one with are left out."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """In words, with all configurations that were measured, by the slug that is shown."""

    def variant_slug(self, own: str) -> str:
        """Return the slug of the variant that another slug is shown as."""
        return self.variants[own].slug if own in self.variants else own

    def in_variant(self, bundle: Bundle) -> Bundle:
        """Return a bundle with the variant that it counts for."""
        return replace(bundle, variant=self.variants.get(bundle.variant.slug, bundle.variant))


def same_configs(groups: Sequence[Sequence[str]], found: Iterable[Variant]) -> SameConfigs:
    """Return which of the variants of a report are one.

    Args:
        groups: configurations that the report declares to be the same.
        found: the variants of its bundles.
    """
    place = {
        slug(config): (at, rank) for at, g in enumerate(groups) for rank, config in enumerate(g)
    }
    families: dict[tuple[Variant, int], dict[str, Variant]] = {}
    for variant in sorted(set(found), key=lambda each: place.get(_config(each), (0, 0))):
        if _config(variant) in place:
            family = replace(variant, config=None), place[_config(variant)][0]
            families.setdefault(family, {}).setdefault(variant.slug, variant)
    variants: dict[str, Variant] = {}
    labels: dict[str, str] = {}
    for members in families.values():
        first, *others = members.values()
        if others:
            variants |= dict.fromkeys(members, first)
            configs = " = ".join(each.config or "" for each in members.values())
            labels[first.slug] = replace(first, config=configs).label
    return SameConfigs(variants, labels)


def are_one(groups: Sequence[Sequence[str]], one: Variant, other: Variant) -> bool:
    """Return whether two variants are one, by configurations that are declared the same."""
    same = same_configs(groups, (one, other))
    return same.variant_slug(one.slug) == same.variant_slug(other.slug)


def _config(variant: Variant) -> str:
    return "" if variant.config is None else slug(variant.config)
