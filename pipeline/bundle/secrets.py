"""Finds passwords, tokens and keys in text. Capture redacts them by the same patterns that `check`
refuses them by, so that what was redacted passes.

What is redacted is recorded where it stood: `--password=[redacted password]`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

VALUE = r"""["']?(?P<secret>(?<=")[^"\n]+(?=")|(?<=')[^'\n]+(?=')|[^\s"']+)"""
"""A value in quotes, or up to the next space or quote."""

NO_SECRET = re.compile(
    r"""["']?(?:\[redacted\b.*     # redacted already
        |\$[A-Za-z_{(].*           # a variable of the shell
        |\*+|x{3,}|X{3,}|<[^>]*>   # masked, or a placeholder
        |[:=,;.(){}\[\]|&<>-]+)["']?""",
    re.VERBOSE | re.DOTALL,
)
"""What stands in the place of a secret without being one."""

PASSWORD_KEY = r"(?:password|passwd|passphrase|_pwd|_pass|requirepass|rediscli_auth)"
TOKEN_KEY = (
    r"(?:secret|(?:api|access|account|private|encryption)[_-]?key"
    r"|(?:auth|access|api|bearer|refresh|session|github|gitlab|npm|pypi|[_-])[_-]?token)"
)


class Pattern(NamedTuple):
    """One form that secrets come in.

    What may repeat before the secret is bounded, so that hostile text costs linear time.
    """

    what: str
    expression: re.Pattern[str]
    """The group `secret` is what may not be published."""
    needs: tuple[tuple[str, ...], ...]
    """Lower-case text: a line without one of each tuple is passed over, which is much faster."""
    many_lines: bool = False


def _assigned(key: str) -> re.Pattern[str]:
    """Return the forms `key=value`, `key = "value"`, `"key": "value"` and `--key value`."""
    option = rf"--[\w-]{{0,60}}{key}[ \t]+(?!-)"
    setting = rf"{key}[\"']?(?:=|[ \t]{{1,40}}=[ \t]{{0,40}}|[ \t]{{0,40}}:[ \t]{{0,40}}(?=[\"']))"
    return re.compile(rf"(?i:{option}|{setting}){VALUE}")


_TOKENS = (
    r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}"
    r"|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|sk_live_\w{16,}|hf_[A-Za-z0-9]{30,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+"
)

_TOKENS_BEGIN = ("gh", "glpat-", "xox", "aiza", "npm_", "pypi-", "sk_live_", "hf_", "eyj")

PATTERNS = (
    Pattern(
        "private key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----"
            r"(?P<secret>[A-Za-z0-9+/=:,\s.-]{1,8000}?(?=-----END|\n\s*\n|\Z))"
        ),
        needs=(("private key",),),
        many_lines=True,
    ),
    Pattern(
        "password",
        _assigned(PASSWORD_KEY),
        needs=(("pass", "_pwd", "rediscli_auth"), ("=", ":", "--")),
    ),
    Pattern(
        "token",
        _assigned(TOKEN_KEY),
        needs=(("secret", "key", "token"), ("=", '"', "'", "--")),
    ),
    # postgres://bench:hunter2@localhost/test
    Pattern(
        "password",
        re.compile(r"://[^\s:/@\"']{0,100}:(?P<secret>[^\s@/\"']{1,200})@"),
        needs=(("://",),),
    ),
    # mysql -uroot -phunter2
    Pattern(
        "password",
        re.compile(
            r"\b(?:mysql|mariadb)(?!d\b)[\w-]{0,20}(?:[ \t]+[^\s|;&]+){0,40}?[ \t]+"
            r"-p(?P<secret>[^\s\"']+)"
        ),
        needs=(("mysql", "mariadb"), (" -p", "\t-p")),
    ),
    # curl -u bench:hunter2
    Pattern(
        "password",
        re.compile(
            r"\bcurl\b[^\n|;]{0,400}?[ \t](?:-u|--user)[ \t=]{0,4}[^\s:\"']{1,100}:"
            r"(?P<secret>[^\s\"']+)"
        ),
        needs=(("curl",), ("-u",)),
    ),
    # CREATE USER bench IDENTIFIED BY 'hunter2'; ALTER ROLE bench PASSWORD 'hunter2'
    Pattern(
        "password",
        re.compile(
            r"(?i:\b(?:identified(?:[ \t]+with[ \t]+\w+)?[ \t]+by|password)[ \t]+)"
            rf"(?=[\"']){VALUE}"
        ),
        needs=(("identified", "password"), ('"', "'")),
    ),
    # Authorization: Basic YmVuY2g6aHVudGVyMg==
    Pattern(
        "authorization",
        re.compile(
            r"(?i:\bauthorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:bearer|basic|token)[ \t]+)"
            r"(?P<secret>[^\s\"']+)"
        ),
        needs=(("authorization",),),
    ),
    Pattern(
        "authorization",
        re.compile(r"(?i:\bbearer)[ \t]+(?P<secret>(?=\S{0,200}\d)[A-Za-z0-9._~+/=-]{12,})"),
        needs=(("bearer",),),
    ),
    Pattern(
        "AWS key",
        re.compile(r"\b(?P<secret>(?:AKIA|ASIA)[0-9A-Z]{16})\b"),
        needs=(("akia", "asia"),),
    ),
    Pattern("token", re.compile(rf"\b(?P<secret>{_TOKENS})"), needs=(_TOKENS_BEGIN,)),
    # --token 5f4dcc3b
    Pattern(
        "token",
        re.compile(rf"--[\w-]{{0,60}}token(?:=|[ \t]+(?!-)){VALUE}"),
        needs=(("--",), ("token",)),
    ),
)


class Secret(NamedTuple):
    """A secret that was found; the secret itself is not kept."""

    line: int
    what: str


def find_secrets(text: str) -> list[Secret]:
    """Return where the text holds secrets, in order."""
    found: list[Secret] = []
    line, counted = 1, 0
    for start, _, what in _spans(text):
        line += text.count("\n", counted, start)
        counted = start
        found.append(Secret(line, what))
    return found


def redact(text: str) -> tuple[str, list[str]]:
    """Return the text without its secrets, and what they were.

    `find_secrets` finds nothing in the result.
    """
    found: list[str] = []
    while spans := _spans(text):
        pieces: list[str] = []
        last = 0
        for start, end, what in spans:
            pieces += [text[last:start], f"[redacted {what}]"]
            last = end
        text = "".join((*pieces, text[last:]))
        found += [what for _, _, what in spans]
    return text, found


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Return the secrets as start, end and what they are; sorted, without overlap."""
    spans = sorted(
        (*match.span("secret"), pattern.what)
        for pattern in PATTERNS
        for start, end in _worth_a_look(text, pattern)
        for match in pattern.expression.finditer(text, start, end)
        if not NO_SECRET.fullmatch(match["secret"])
    )
    apart: list[tuple[int, int, str]] = []
    for span in spans:
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart


def _worth_a_look(text: str, pattern: Pattern) -> Iterator[tuple[int, int]]:
    """Yield start and end of what has all that the pattern needs: lines, or the whole text."""
    if not _has_all(text.lower(), pattern):
        return
    if pattern.many_lines:
        yield 0, len(text)
        return
    start = 0
    for line in text.split("\n"):
        if _has_all(line.lower(), pattern):
            yield start, start + len(line)
        start += len(line) + 1


def _has_all(lowered: str, pattern: Pattern) -> bool:
    return all(any(hint in lowered for hint in hints) for hints in pattern.needs)
