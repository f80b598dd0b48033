"""A hostile bundle is refused by every way in, in words that help, and nothing of it is left."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from doors import Door, by_branch, by_build, by_command, by_push, by_store, write_all
from hostile_bundles import ATTACKS, Attack

CHECKED_ALIKE = {"bomb-zstd", "bomb-xz", "bomb-of-many-parts", "toml-many-keys"}
"""Attacks for which `check` takes seconds each. Every other door refuses by the same function, and
shows it by another bomb and another large run.toml."""


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attacks")


@pytest.fixture(scope="session")
def bundles(work: Path) -> list[Path]:
    return write_all(ATTACKS, work / "bundles")


@pytest.fixture(scope="session")
def door_of(work: Path, bundles: list[Path]) -> Callable[[str], Door]:
    """Return what a door says of all attacks; each is opened once."""
    opened: dict[str, Door] = {}
    most = [each for each in bundles if each.name not in CHECKED_ALIKE]
    built = [each for each in ATTACKS if message_of("build", each) is not None]
    doors: dict[str, Callable[[], Door]] = {
        "check": lambda: by_command("check", bundles, work),
        "add": lambda: by_command("add", most, work),
        "push": lambda: by_push(most, work),
        "git": lambda: by_branch(ATTACKS, most, work),
        "store": lambda: by_store(ATTACKS, most, work),
        "build": lambda: by_build(built, most, work),
    }

    def door(name: str) -> Door:
        if name not in opened:
            opened[name] = doors[name]()
        return opened[name]

    return door


DOORS = ("check", "add", "push", "git", "store", "build")


def message_of(door: str, attack: Attack) -> str | None:
    """Return the message of a door about an attack; `None` where the attack does not use it."""
    if door != "check" and attack.name in CHECKED_ALIKE:
        return None
    if door == "git":
        return None if attack.in_git is None else attack.in_git or attack.message
    if door == "store":
        return None if attack.in_store is None else attack.in_store or attack.message
    # No page depends on the time at which it was built.
    return None if (door, attack.name) == ("build", "clock-ahead") else attack.message


PAIRS = [
    (door, attack) for door in DOORS for attack in ATTACKS if message_of(door, attack) is not None
]


@pytest.mark.parametrize(
    ("name", "attack"), PAIRS, ids=[f"{door}-{attack.name}" for door, attack in PAIRS]
)
def test_an_attack_is_refused(name: str, attack: Attack, door_of: Callable[[str], Door]) -> None:
    door = door_of(name)
    here = re.compile(rf"(?:^|[ /]){re.escape(attack.name)}(?=[/:])")
    lines = [line for line in door.output.splitlines() if here.search(line)]
    message = message_of(name, attack) or ""
    assert any(message in line for line in lines), lines
    for line in lines[:50]:
        assert line.isprintable()
        assert "; " in line, "what was expected, or what to do"
        assert "hunter2" not in line
    if name == "build":
        assert attack.name in door.page
        assert "hunter2" not in door.page
    assert not [each for each in door.let_in if f"/{attack.name}/" in f"/{each}/"]


@pytest.mark.parametrize("name", DOORS)
def test_the_good_bundle_gets_in_and_nothing_is_left_elsewhere(
    name: str, door_of: Callable[[str], Door]
) -> None:
    door = door_of(name)
    assert "Traceback" not in door.output
    assert door.status == (0 if name == "build" else 1) or name == "push"
    assert door.left == {}
    if name != "check":
        assert any("good" in each or "postgres-releases" in each for each in door.let_in)


def test_there_are_sixty_attacks() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 60
