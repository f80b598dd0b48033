"""Secrets are found and redacted by the same patterns."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.bundle.secrets import find_secrets, redact

LETTERS = "a1B2"
TOKENS = (
    *(f"gh{kind}_{LETTERS * 9}" for kind in "pousr"),
    "github_pat_" + LETTERS * 6,
    *(
        f"gl{kind}-{LETTERS * 5}"
        for kind in ("pat", "dt", "ptt", "rt", "soat", "ft", "agent", "imt", "cbt")
    ),
    *(f"xox{kind}-{LETTERS * 3}" for kind in "abeprs"),
    "xoxe.xoxp-" + LETTERS * 3,
    "GOCSPX-" + LETTERS * 5,
    "npm_" + LETTERS * 9,
    "pypi-" + LETTERS * 13,
    "sk_live_" + LETTERS * 4,
    "rk_live_" + LETTERS * 4,
    "sk-" + LETTERS * 8,
    "sk-proj-" + LETTERS * 8,
    "hf_" + LETTERS * 8,
    "dckr_pat_" + LETTERS * 5,
    "dop_v1_" + "a1b2" * 15,
    "hvs." + LETTERS * 6,
    "AGE-SECRET-KEY-1" + "A1B2" * 10,
)
TOKENS_OF = (
    *("auth", "access", "api", "bearer", "refresh"),
    *("session", "github", "gitlab", "npm", "pypi"),
)
HASHES = ("1", "5", "6", "y", "apr1", "2a", "2b", "2y", "argon2i", "argon2id")
HASH = "salt$" + LETTERS * 8

SECRETS = [
    ("sysbench --mysql-password=hunter2 run", "hunter2", "password"),
    ("sysbench --pgsql-password=hunter2 run", "hunter2", "password"),
    ("--db_password=hunter2", "hunter2", "password"),
    ("--db-password hunter2 --x", "hunter2", "password"),
    ("password=hunter2", "hunter2", "password"),
    ("password = hunter2", "hunter2", "password"),
    ("password = 'hunter 2'", "hunter 2", "password"),
    ('"password": "hunter2",', "hunter2", "password"),
    ("host=db user=bench password=hunter2 dbname=x", "hunter2", "password"),
    ("PGPASSWORD=hunter2 psql", "hunter2", "password"),
    ("export MYSQL_PWD=hunter2", "hunter2", "password"),
    ("MYSQL_ROOT_PASSWORD='hunter2'", "hunter2", "password"),
    ("REDISCLI_AUTH=hunter2", "hunter2", "password"),
    ("postgres://bench:hunter2@localhost/test", "hunter2", "password"),
    ("mysql://bench:hunter2@[::1]:3306/", "hunter2", "password"),
    ("mysql -uroot -phunter2 test", "hunter2", "password"),
    ("mariadb-admin -h x -phunter2 status", "hunter2", "password"),
    ("curl -u bench:hunter2 https://x", "hunter2", "password"),
    ("CREATE USER b IDENTIFIED BY 'hunter2'", "hunter2", "password"),
    ("identified with caching_sha2_password by 'hunter2'", "hunter2", "password"),
    ("ALTER ROLE b PASSWORD 'hunter2'", "hunter2", "password"),
    ("AWS_SECRET_ACCESS_KEY=abc/def+1", "abc/def+1", "token"),
    ("id AKIAIOSFODNN7EXAMPLE here", "AKIAIOSFODNN7EXAMPLE", "AWS key"),
    ("GITHUB_TOKEN=abc", "abc", "token"),
    ("api_key: 'abc'", "abc", "token"),
    ("client_secret=abc", "abc", "token"),
    ("perf-tool --token abc", "abc", "token"),
    ("ghp_" + "a1B2" * 9, "ghp_" + "a1B2" * 9, "token"),
    ("xoxb-1234567890-abc", "xoxb-1234567890-abc", "token"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "token"),
    ("Authorization: Basic YmVuY2g6aHVudGVyMg==", "YmVuY2g6aHVudGVyMg==", "authorization"),
    ("authorization: Bearer abc", "abc", "authorization"),
    ("bearer abcdefghijk1", "abcdefghijk1", "authorization"),
    ("password: hunter2", "hunter2", "password"),
    ("  - db_password:   hunter2  # of the lab", "hunter2", "password"),
    ("password= hunter2", "hunter2", "password"),
    ("[client] \tpassword\t=\thunter2", "hunter2", "password"),
    ("localhost:5432:bench:alice:hunter2", "hunter2", "password"),
    ("*:*:*:alice:hunter2", "hunter2", "password"),
    ("machine example.org login alice password hunter2", "hunter2", "password"),
    ("default login alice password hunter2", "hunter2", "password"),
    ("mysql -u root -p'hunter2' test", "hunter2", "password"),
    ("sshpass -p hunter2 ssh lab1", "hunter2", "password"),
    ("mongosh -u alice -p hunter2 bench", "hunter2", "password"),
    ("docker login -u alice -p hunter2", "hunter2", "password"),
    ("redis-benchmark -h lab1 -a hunter2 -n 9", "hunter2", "password"),
    ("SECRET_KEY=abc", "abc", "token"),
    ("    token: 5f4dcc3b5aa765d61d83", "5f4dcc3b5aa765d61d83", "token"),
    ("    client-key-data: LS0tLS1CRUdJTi", "LS0tLS1CRUdJTi", "token"),
    ('  "auth": "YWxpY2U6aHVudGVyMg=="', "YWxpY2U6aHVudGVyMg==", "authorization"),
    ("//registry.npmjs.org/:_auth=YWxpY2U6aHVudGVyMg==", "YWxpY2U6aHVudGVyMg==", "authorization"),
    ("glrt-" + "a1B2" * 6, "glrt-" + "a1B2" * 6, "token"),
    ("xapp-1-" + "A1B2" * 6, "A1B2A1B2", "token"),
    ("ya29." + "a1B2" * 8, "a1B2a1B2", "token"),
    ("AIza" + "a1B2c" * 7, "a1B2c" * 7, "token"),
    ("https://hooks.slack.com/services/T0/B0/" + "a1B2" * 6, "a1B2a1B2", "token"),
    ("alice:$6$salt$" + "a1B2" * 8, "a1B2a1B2", "password hash"),
    ("db_pwd: hunter2", "hunter2", "password"),
    ("password:\thunter2", "hunter2", "password"),
    ("password=\thunter2", "hunter2", "password"),
    ("DB_PASSWD=hunter2", "hunter2", "password"),
    ("DB_PASS=hunter2", "hunter2", "password"),
    ("passphrase=hunter2", "hunter2", "password"),
    ("requirepass hunter2", "hunter2", "password"),
    ('masterauth "hunter 2"', "hunter 2", "password"),
    ("wsrep_sst_auth = alice:hunter2", "hunter2", "password"),
    ('wsrep_sst_auth="alice:hunter2"', "hunter2", "password"),
    ("redis-server --requirepass hunter2", "hunter2", "password"),
    ("lab1:5433:bench:alice:hunter2", "hunter2", "password"),
    ("lab1:6432:bench:alice:hunter2", "hunter2", "password"),
    ("machine lab1 account a login alice password hunter2", "hunter2", "password"),
    ("mysql -u root\t-phunter2", "hunter2", "password"),
    ("redis-cli -a hunter2 PING", "hunter2", "password"),
    ("curl --user bench:hunter2 https://x", "hunter2", "password"),
    ('CREATE USER b IDENTIFIED BY "hunter2"', "hunter2", "password"),
    ("client_secret: 5f4dcc3b5aa765d6", "5f4dcc3b5aa765d6", "token"),
    ("token:\t5f4dcc3b5aa765d6", "5f4dcc3b5aa765d6", "token"),
    ("token= 5f4dcc3b5aa765d6", "5f4dcc3b5aa765d6", "token"),
    ("token=\t5f4dcc3b5aa765d6", "5f4dcc3b5aa765d6", "token"),
    ('"api_key": "abc"', "abc", "token"),
    ("agent --api-key abc", "abc", "token"),
    ("accountKey=abc", "abc", "token"),
    ("private_key=abc", "abc", "token"),
    ("encryption-key=abc", "abc", "token"),
    ("LAB_TOKEN=abc", "abc", "token"),
    *((f"{whose}Token=abc", "abc", "token") for whose in TOKENS_OF),
    *((text, text, "token") for text in TOKENS),
    ("ASIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "AWS key"),
    ('{"identitytoken": "YWxpY2U6aHVudGVyMg=="}', "YWxpY2U6aHVudGVyMg==", "authorization"),
    ('{"registrytoken": "YWxpY2U6aHVudGVyMg=="}', "YWxpY2U6aHVudGVyMg==", "authorization"),
    ("authorization: token abc", "abc", "authorization"),
    *((f"alice:${kind}${HASH}", HASH, "password hash") for kind in HASHES),
    (
        "PuTTY-User-Key-File-3: ssh-ed25519 Private-Lines: 1 AAAAB3NzaC1yc2EAAAADAQAB",
        "AAAAB3NzaC1yc2EAAAADAQAB",
        "private key",
    ),
    (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc=\n-----END RSA PRIVATE KEY-----",
        "MIIEabc=",
        "private key",
    ),
]

NO_SECRETS = [
    "sysbench --mysql-password= --threads=4",
    "--pgsql-password=$PGPASSWORD",
    "--pgsql-password=${SECRET}",
    '--password="$(cat file)"',
    "password=********",
    "password=<password>",
    "password=xxxx",
    "password=XXXX",
    "password=''",
    "password=[redacted password]",
    "default_password_lifetime = 0",
    "password_encryption = scram-sha-256",
    "validate_password.policy=LOW",
    "using password: YES",
    "password: YES",
    "password:",
    "Password for user alice: ",
    "password: ${VAULT}",
    "passwd: compat",
    "Enter password: next line",
    "file.cc:5432:std::vector:push:back",
    "12:30:45:678:9",
    "0000:5432:1f",
    "the machine was default password protected",
    "token: 12",
    "token: identifier at line 5",
    "mysqld(my_token+0x12) (/usr/sbin/mysqld)",
    "docker run -p 5432:5432 postgres",
    "redis-benchmark -h lab1 -n 9",
    '"auth": "none"',
    "root:x:0:0:root:/root:/bin/bash",
    "https://hooks.slack.com/services/",
    "passwd:         files systemd",
    "perf record -p 1234 -F 99",
    "mysqld --port=33 -p3306",
    "http://host:8080/a@b",
    "postgres://bench@localhost/test",
    "std::operator==(Token const&, Token const&);Parser::next_token 12",
    "primary key=5",
    "ssl_key_file = /etc/key.pem",
    "bearer of bad news everywhere",
    "docker run -u 1000:1000 x",
    "AKIA",
    "requirepass is not set here",
    "wsrep_sst_auth = alice",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
]


@pytest.mark.parametrize(("text", "secret", "what"), SECRETS)
def test_a_secret_is_found_and_redacted(text: str, secret: str, what: str) -> None:
    padded = f"first line\n{text}\nlast line\n"
    found = find_secrets(padded)
    assert [(each.line, each.what) for each in found] == [(2, what)]
    redacted, kinds = redact(padded)
    assert secret not in redacted
    assert f"[redacted {what}]" in redacted
    assert kinds == [what]
    assert redacted.startswith("first line\n")
    assert redacted.endswith("last line\n")


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert redact(text) == (text, [])


def test_only_the_secret_is_taken() -> None:
    text = 'sysbench --db-driver=mysql --mysql-password="a b" --threads=4 run'
    expected = 'sysbench --db-driver=mysql --mysql-password="[redacted password]" --threads=4 run'
    assert redact(text)[0] == expected
    assert redact("password = 'a b' x")[0] == "password = '[redacted password]' x"


def test_a_private_key_that_breaks_off_is_taken_to_its_end() -> None:
    head = "-----BEGIN OPENSSH PRIVATE KEY-----"
    assert redact(f"{head}\nb3Blbn\nAAAA")[0] == f"{head}[redacted private key]"


def test_every_secret_of_a_text_is_found() -> None:
    text = "a password=1\nb\npassword=2 password=3\nAKIAIOSFODNN7EXAMPLE"
    assert [each.line for each in find_secrets(text)] == [1, 3, 3, 4]


pieces = st.sampled_from([text for text, *_ in SECRETS] + NO_SECRETS) | st.text(
    alphabet="ab1 '\"=:@/-$*<>[]\n", max_size=8
)


@settings(deadline=None)
@given(st.lists(pieces, max_size=6).map("".join))
@example("password=password=x://a:b@c")
@example('password="a b"c')
@example("password=[redacted")
@example("mysql -p'")
def test_nothing_is_found_in_what_was_redacted(text: str) -> None:
    redacted, kinds = redact(text)
    assert find_secrets(redacted) == []
    assert bool(kinds) == bool(find_secrets(text))
    if not kinds:
        assert redacted == text


@pytest.mark.parametrize(
    "hostile",
    [
        "-----BEGIN PRIVATE KEY-----\n" * 2000,
        "mysql -p " * 20_000,
        "--token" * 20_000,
        'password="' * 20_000,
        "curl -u " * 20_000,
        "a://" * 20_000,
        "_token=" * 20_000,
        "eyJ" + "a" * 200_000,
        "x" * 1_000_000 + "password=1",
    ],
)
def test_no_text_takes_long(hostile: str) -> None:
    started = time.process_time()
    find_secrets(hostile)
    assert time.process_time() - started < 3
