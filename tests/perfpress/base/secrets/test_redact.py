"""Secrets are redacted by what finds them, and nothing else of the text is changed."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from perfpress.base.secrets import search as search_module
from perfpress.base.secrets.redact import find_secrets, redact, redact_bytes
from perfpress.base.secrets.rules import Rule
from perfpress.base.secrets.search import search
from secret_samples import kinds, sample

NO_SECRETS = [
    "mysqld(my_token+0x12) (/usr/sbin/mysqld)",
    "std::operator==(Token const&, Token const&);Parser::next_token 12",
    "docker run -p 5432:5432 postgres",
    "root:x:0:0:root:/root:/bin/bash",
    "passwd:         files systemd",
    "http://host:8080/a@b",
    "AKIA",
]


def test_only_the_secret_is_taken() -> None:
    text = 'sysbench --db-driver=mysql --mysql-password="a b" --threads=4 run'
    expected = 'sysbench --db-driver=mysql --mysql-password="[redacted password]" --threads=4 run'
    assert redact(text)[0] == expected
    assert redact("password = 'a b' x")[0] == "password = '[redacted password]' x"


def test_a_private_key_that_breaks_off_is_taken_to_its_end() -> None:
    head = "-----BEGIN OPENSSH PRIVATE KEY-----"
    assert redact(f"{head}\nb3Blbn\nAAAA")[0] == f"{head}[redacted private key]"


def test_every_secret_of_a_text_is_found_with_its_line() -> None:
    text = "a password=1\nb\npassword=2 password=3\nAKIAIOSFODNN7EXAMPLE"
    found = find_secrets(text)
    assert [each.line for each in found] == [1, 3, 3, 4]
    assert [each.what for each in found] == ["password", "password", "password", "AWS key"]


def test_letters_beyond_ascii_are_kept() -> None:
    assert redact("größe password=hünter2 größe") == (
        "größe password=[redacted password] größe",
        ["password"],
    )


some = st.sampled_from([sample(template).text for template in kinds()] + NO_SECRETS) | st.text(
    alphabet="ab1 '\"=:@/-$*<>[]\n\\%&é\0\x1b", max_size=8
)


@settings(max_examples=60)
@given(st.lists(some, max_size=6).map("".join))
@example("password=password=x://a:b@c")
@example('password="a b"c')
@example("password=[redacted")
@example("mysql -p'")
def test_nothing_is_found_in_what_was_redacted(text: str) -> None:
    redacted, found = redact(text)
    assert find_secrets(redacted) == []
    assert bool(found) == bool(find_secrets(text))
    if not found:
        assert redacted == text


@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_can_be_redacted(data: bytes) -> None:
    redacted, _ = redact_bytes(data)
    assert search(redacted) == []


HOSTILE = [
    b"-----BEGIN PRIVATE KEY-----\n",
    b"mysql -p ",
    b"--token",
    b'password="',
    b"curl -u ",
    b"a://",
    b"_token=",
    b"eyJa",
    b"password\n",
    b"machine a login ",
    b"x\x9cx\xda",
    b"\x1f\x8b\x08\x00",
    b"H4sIAAAA",
    b"cGFz",
    b"70",
    b"%70",
    b"%25",
    b"\\u0070",
    b"p\0",
    b"\xef\xb7\xba",
    b"a\x08",
    b"=3D",
    b"\\",
    b"\r",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_work_grows_with_the_text_and_no_faster(
    hostile: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = 0
    by_rule, by_keyword = Rule.secrets, search_module._by_rules

    def counted_rule(rule: Rule, text: bytes) -> list[tuple[int, int, int, int]]:
        nonlocal work
        work += len(text)
        return by_rule(rule, text)

    def counted_search(text: bytes) -> object:
        nonlocal work
        work += len(text)
        return by_keyword(text)

    monkeypatch.setattr(Rule, "secrets", counted_rule)
    monkeypatch.setattr(search_module, "_by_rules", counted_search)
    done = []
    for size in (20_000, 40_000):
        work = 0
        search(hostile * (size // len(hostile)))
        done.append(work)
    assert done[1] <= 2.5 * done[0]
    assert done[1] <= 400 * 40_000
