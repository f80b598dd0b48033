"""Kinds of secrets that a lab has are found; every rule is needed, and finds its examples."""

import hashlib
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from perfpress.base.secrets import search as search_module
from perfpress.base.secrets.redact import find_secrets, redact
from perfpress.base.secrets.rules import rules
from perfpress.base.secrets.search import search
from secret_samples import kinds, sample

DATA = files("perfpress.base.secrets")
OWN: list[dict[str, Any]] = tomllib.loads(DATA.joinpath("rules.toml").read_text("utf-8"))["rules"]

GITLEAKS = "e163e53b9e7e8a8511e77271e2b323ed057759542a6d988258afe3a1fa329caf"
"""SHA-256 of config/gitleaks.toml in the Go module github.com/zricethezav/gitleaks/v8 v8.30.1."""

DER = (
    b"\x30\x82\x04\xbd\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01" + b"k" * 99
)

OF_GITLEAKS = [
    "cloudflare_api_key = «{40}»",
    "«glsa_{32}_{8x}»",
    "«dapi{32x}»",
    "«shpat_{32x}»",
    "«pul-{40x}»",
    "«sntryu_{64x}»",
    "«PMAK-{24x}-{34x}»",
    "«lin_api_{40}»",
    "«pscale_tkn_{40}»",
    "«sha256~{43}»",
    "«hvb.{140}»",
    "«dp.pt.{43}»",
]


def holds(text: str, secrets: list[str]) -> bool:
    """Whether a text still holds all or some of the secrets, once redacted."""
    redacted, _ = redact(text)
    return any(secret in redacted for secret in secrets)


@pytest.mark.parametrize("template", kinds())
def test_a_secret_of_a_lab_is_found_and_redacted(template: str) -> None:
    text, secrets = sample(template)
    padded = f"first line\n{text}\nlast line\n"
    assert not holds(padded, secrets)
    redacted, found = redact(padded)
    assert "[redacted " in redacted
    assert found
    assert redacted.startswith("first line\n")
    assert redacted.endswith("\nlast line\n")
    assert find_secrets(redacted) == []


@pytest.mark.parametrize("template", OF_GITLEAKS)
def test_a_secret_that_gitleaks_knows_is_found(template: str) -> None:
    text, secrets = sample(template)
    assert not holds(text, secrets)


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule["id"])
def test_the_examples_of_a_rule_are_found(rule: dict[str, Any]) -> None:
    for template in rule["found"]:
        text, secrets = sample(template)
        assert not holds(text, secrets), template


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule["id"])
def test_a_rule_leaves_alone_what_is_no_secret(rule: dict[str, Any]) -> None:
    for text in rule["passed"]:
        assert find_secrets(text) == [], text
        assert redact(text) == (text, [])


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return what takes a rule away until the test ends."""
    caches = (search_module._rules_by_keyword, search_module._keyword_set)

    def take_away(name: str) -> None:
        rest = tuple(rule for rule in rules() if rule.name != name)
        monkeypatch.setattr(search_module, "rules", lambda: rest)
        for each in caches:
            each.cache_clear()

    yield take_away
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule["id"])
def test_no_rule_can_be_removed(rule: dict[str, Any], without: Any) -> None:
    without(rule["id"])
    samples = [sample(template) for template in rule["found"]]
    if rule["id"] == "der":
        assert search(DER) == []
    else:
        assert any(holds(text, secrets) for text, secrets in samples)


def test_a_private_key_in_binary_is_found() -> None:
    assert [each.kind for each in search(DER)] == ["private key"]


def test_the_rules_of_gitleaks_are_as_published() -> None:
    data = DATA.joinpath("gitleaks.toml").read_bytes()
    assert hashlib.sha256(data).hexdigest() == GITLEAKS
    assert DATA.joinpath("gitleaks.LICENSE").read_text("utf-8").startswith("MIT License")


def test_all_rules_compile() -> None:
    assert len(rules()) > 270
    for rule in rules():
        assert rule.regex.groups >= 0
        assert rule.keywords
