"""The forms that passwords, tokens and keys come in."""

import re
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
    r"(?:secret(?:[_-]?key)?|(?:api|access|account|private|encryption)[_-]?key"
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


def _stated(key: str, least: int) -> re.Pattern[str]:
    """Return the form `key: value` of a line with nothing else on it, as in YAML; `key= value`."""
    value = rf"(?P<secret>[^\s\"']{{{least},}})"
    return re.compile(
        rf"(?i:^[ \t]{{0,200}}(?:-[ \t]+)?[\w.-]{{0,60}}{key}[ \t]{{0,40}}[:=])[ \t]{{1,40}}"
        rf"(?!(?i:{NO_PASSWORDS})[ \t\r]*$){value}[ \t\r]*(?:#[^\n]*)?$",
        re.MULTILINE,
    )


NO_PASSWORDS = "yes|no|true|false|null|none|required|files|compat|db|nis|sss|systemd|ldap"
"""What stands behind `using password:`, in YAML, and in nsswitch.conf."""

_TOKENS = {
    "gh": r"gh[pousr]_[A-Za-z0-9]{36,}",
    "github_pat_": r"github_pat_\w{22,}",
    "gl": r"gl(?:pat|dt|ptt|rt|soat|ft|agent|imt|cbt)-[\w-]{20,}",
    "xox": r"xox[abeprs](?:\.xox[bp])?-[\w-]{10,}",
    "xapp-": r"xapp-[\w-]{20,}",
    "aiza": r"AIza[\w-]{35}",
    "ya29.": r"ya29\.[\w-]{20,}",
    "gocspx-": r"GOCSPX-[\w-]{20,}",
    "npm_": r"npm_[A-Za-z0-9]{36}",
    "pypi-": r"pypi-[\w-]{50,}",
    "k_live_": r"[rs]k_live_\w{16,}",
    "sk-": r"sk-(?:[a-z]{2,8}[\w-]{0,8}-)?[A-Za-z0-9_]{32,}",
    "hf_": r"hf_[A-Za-z0-9]{30,}",
    "dckr_pat_": r"dckr_pat_[\w-]{20,}",
    "dop_v1_": r"dop_v1_[0-9a-f]{60,}",
    "hvs.": r"hvs\.[\w-]{24,}",
    "age-secret-key-": r"AGE-SECRET-KEY-1[0-9A-Z]{40,}",
    "eyj": r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+",
}
"""The forms of tokens that can be told by how they begin."""

PATTERNS = (
    Pattern(
        "private key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----"
            r"(?P<secret>[A-Za-z0-9+/=:,\s.\\-]{1,8000}?(?=-----END|\n\s*\n|\Z))"
        ),
        needs=(("private key",),),
        many_lines=True,
    ),
    # PuTTY-User-Key-File-3: ssh-ed25519 … Private-Lines: 1
    Pattern(
        "private key",
        re.compile(
            r"\bPrivate-Lines: \d{1,3}\s{1,9}"
            r"(?P<secret>[A-Za-z0-9+/=]{16,100}(?:\s{1,9}[A-Za-z0-9+/=]{16,100}){0,200})"
        ),
        needs=(("private-lines: ",),),
        many_lines=True,
    ),
    # password: hunter2
    Pattern(
        "password",
        _stated(rf"{PASSWORD_KEY}[\"']?", 1),
        needs=(("pass", "_pwd"), (": ", ":\t", "= ", "=\t")),
    ),
    # client-key-data: LS0tLS1CRUdJTi…; token: 5f4dcc3b5aa765d6
    Pattern(
        "token",
        _stated(rf"(?:{TOKEN_KEY}|client-key-data|(?<![\w.-])token)[\"']?", 12),
        needs=(("secret", "key", "token"), (": ", ":\t", "= ", "=\t")),
    ),
    # .pgpass  localhost:5432:bench:alice:hunter2
    Pattern(
        "password",
        re.compile(
            r"^(?:[\w.*-]|\\.){1,253}:(?:\d{4,5}|\*):[A-Za-z_*][\w*.-]{0,63}:[A-Za-z_*][\w*.@-]{0,63}:"
            r"(?P<secret>(?:[^\s:\\]|\\.)+)[ \t\r]*$",
            re.MULTILINE,
        ),
        needs=(("5432:", "5433:", "6432:", ":*:"),),
    ),
    # .netrc  machine example.org login alice password hunter2
    Pattern(
        "password",
        re.compile(
            r"\b(?:machine\s{1,20}\S{1,253}|default)\s{1,20}"
            r"(?:(?:login|account)\s{1,20}\S{1,200}\s{1,20}){1,2}password\s{1,20}(?P<secret>\S+)"
        ),
        needs=(("machine", "default"), ("password",)),
        many_lines=True,
    ),
    # .docker/config.json  "auth": "YWxpY2U6aHVudGVyMg=="; .npmrc  _auth=…
    Pattern(
        "authorization",
        re.compile(
            r"(?:\"(?:auth|identitytoken|registrytoken)\"\s{0,20}:\s{0,20}\""
            r"|\b_auth[ \t]{0,9}=[ \t]{0,9})"
            r"(?P<secret>[A-Za-z0-9+/=_.-]{8,})"
        ),
        needs=(('"auth"', '"identitytoken"', '"registrytoken"', "_auth"),),
    ),
    # /etc/shadow, .htpasswd  alice:$6$…
    Pattern(
        "password hash",
        re.compile(
            r"^[\w.@-]{1,64}:\$(?P<secret>(?:1|5|6|y|apr1|2[aby]|argon2id?)\$[^\s:]{20,})",
            re.MULTILINE,
        ),
        needs=((":$",),),
    ),
    # redis.conf  requirepass hunter2
    Pattern(
        "password",
        re.compile(
            rf"^[ \t]{{0,40}}(?:requirepass|masterauth)[ \t]{{1,40}}{VALUE}[\"']?[ \t\r]*$",
            re.MULTILINE,
        ),
        needs=(("requirepass", "masterauth"),),
    ),
    # Galera  wsrep_sst_auth = alice:hunter2
    Pattern(
        "password",
        re.compile(
            r"\bwsrep_sst_auth[ \t]{0,40}=[ \t]{0,40}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"']+)"
        ),
        needs=(("wsrep_sst_auth",),),
    ),
    # https://hooks.slack.com/services/T…/B…/…
    Pattern(
        "token",
        re.compile(r"hooks\.slack\.com/services/(?P<secret>[\w/]{20,})"),
        needs=(("hooks.slack.com",),),
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
            r"-p[\"']?(?P<secret>[^\s\"']+)"
        ),
        needs=(("mysql", "mariadb"), (" -p", "\t-p")),
    ),
    # sshpass -p hunter2; mongosh -u alice -p hunter2; docker login -p hunter2; redis-cli -a hunter2
    Pattern(
        "password",
        re.compile(
            r"\b(?:(?:sshpass|mongo\w{0,10}|docker[ \t]+login)(?:[ \t]+[^\s|;&]+){0,20}?[ \t]+-p"
            r"|redis-(?:cli|benchmark)(?:[ \t]+[^\s|;&]+){0,20}?[ \t]+-a)[ \t]{0,9}(?!-)"
            r"[\"']?(?P<secret>[^\s\"']+)"
        ),
        needs=(("sshpass", "mongo", "docker", "redis-"), (" -p", " -a")),
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
    Pattern(
        "token",
        re.compile(rf"\b(?P<secret>{'|'.join(_TOKENS.values())})"),
        needs=(tuple(_TOKENS),),
    ),
    # --token 5f4dcc3b
    Pattern(
        "token",
        re.compile(rf"--[\w-]{{0,60}}token(?:=|[ \t]+(?!-)){VALUE}"),
        needs=(("--",), ("token",)),
    ),
)
