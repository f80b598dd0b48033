"""What an archive shows to be equal is declared; what merely looks so is suggested."""

from perfpress.host.importing.equals import Equals, Measured, equals
from perfpress.input.bundles.variant import Variant

STEPS = [f"step{number}" for number in range(8)]
ORDER = ["5.6", "5.7", "8.0", "8.4", "9.0"]


def measured(
    config: str, releases: str, factor: float = 1.0, slow_step: float = 1.0, **facts: str
) -> Measured:
    """Return a variant; every other step is 1 % faster or slower, besides the factor."""
    rates = {
        release: {
            step: 1000 * factor * (1.01 if number % 2 else 0.99) * (slow_step if not number else 1)
            for number, step in enumerate(STEPS)
        }
        for release in releases.split()
    }
    axes = (("build", facts["build"]),) if "build" in facts else ()
    return Measured(Variant(facts.get("host", "lab1"), config, 4, axes), rates)


def found(*variants: Measured, order: list[str] = ORDER) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(each.key, each.names, each.is_shown) for each in equals(variants, order, {})]


def test_a_configuration_that_goes_on_where_an_equal_one_ends_is_the_same() -> None:
    old, new = measured("a", "5.6 5.7 8.0"), measured("b", "5.7 8.0 8.4 9.0", 1.01)
    assert found(new, old) == [("same_config", ("a", "b"), True)]
    (group,) = equals([old, new], ORDER, {})
    assert group.evidence == (
        "both on 2 releases (5.7 to 8.0): median difference 1.0 % over 8 steps, "
        "at most 1.0 % (step0)"
    )


def test_equal_on_one_release_is_only_suggested() -> None:
    old, new = measured("a", "5.6 5.7"), measured("b", "5.7 8.0")
    assert found(old, new) == [("same_config", ("a", "b"), False)]


def test_what_follows_on_another_is_suggested_though_nothing_compares_them() -> None:
    old, new = measured("a", "5.6 5.7"), measured("b", "8.0 8.4", 0.5)
    assert found(old, new) == [("same_config", ("a", "b"), False)]
    assert found(old, measured("b", "8.4 9.0")) == []
    programs = dict.fromkeys(["5.6", "5.7"], "MySQL") | dict.fromkeys(["8.0", "8.4"], "PostgreSQL")
    assert equals([old, new], ORDER, programs) == []


def test_what_differs_is_not_the_same() -> None:
    old = measured("a", "5.6 5.7 8.0")
    assert found(old, measured("b", "5.7 8.0 8.4", 1.2)) == []
    # One step that is slower on every release is a difference, whatever the others say.
    assert found(old, measured("b", "5.7 8.0 8.4", slow_step=0.8)) == []


def test_equal_variants_of_the_same_releases_are_twins() -> None:
    one, other = measured("a", "5.6 5.7 8.0"), measured("b", "5.6 5.7 8.0")
    assert found(one, other) == [
        ("twin_variants", ("lab1--a--4clients", "lab1--b--4clients"), True)
    ]
    assert found(one, measured("b", "5.6")) == [
        ("twin_variants", ("lab1--a--4clients", "lab1--b--4clients"), False)
    ]


def test_a_rerun_is_the_same_configuration() -> None:
    one, again = measured("z12a", "5.6 5.7 8.0"), measured("z12a_v2", "5.6 5.7")
    assert found(one, again) == [("same_config", ("z12a", "z12a_v2"), True)]
    one = measured("z12a", "5.6 5.7", build="rel")
    again = measured("z12a", "5.7", build="relv2")
    slugs = ("lab1--z12a--4clients--build-rel", "lab1--z12a--4clients--build-relv2")
    assert found(one, again) == [("twin_variants", slugs, False)]


def test_a_release_measured_again_is_suggested_where_it_performs_alike() -> None:
    order = ["8.0", "8.0v2", "8.4"]
    assert found(measured("a", "8.0 8.0v2 8.4"), order=order) == [
        ("same_code", ("8.0", "8.0v2"), False)
    ]
    rates = {**measured("a", "8.0").rates, **measured("a", "8.0v2", 0.8).rates}
    assert found(Measured(Variant("lab1", "a", 4), rates), order=order[:2]) == []


def test_other_hosts_are_never_compared() -> None:
    assert found(measured("a", "5.6 5.7 8.0"), measured("b", "5.7 8.0 8.4", host="lab2")) == []


def test_three_names_of_one_configuration_are_one_group() -> None:
    variants = [
        measured("a", "5.6 5.7 8.0"),
        measured("b", "5.7 8.0 8.4"),
        measured("c", "8.0 8.4 9.0"),
    ]
    groups: list[Equals] = [each for each in equals(variants, ORDER, {}) if each.is_shown]
    assert [(each.key, each.names) for each in groups] == [("same_config", ("a", "b", "c"))]
