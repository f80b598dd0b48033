"""Writes a report of which every name is hostile: `python hostile_report.py DIR`.

Each name tries to get out of where it is written: out of text, attributes, scripts, addresses,
styles, drawings, cells, templates, front matter, shell and terminal. `pwned` is what would show it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import tomli_w
from perfpress.base.slugs import slug
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle

MARKUP = '"><pwned x=\'"><img src=//pwned.invalid/x onerror=alert(1)><script>alert(1)</script>'
OUT_OF_ELEMENTS = "</script></style></title></textarea></svg>]]>--><svg onload=alert(1)><pwned>"
OUT_OF_ATTRIBUTES = "' \" onmouseover=alert(1) pwned=1 style=background:url(//pwned.invalid/x) x='"
FORMULA = '=HYPERLINK("http://pwned.invalid/","x")'
TEMPLATE = '{{< pwned >}}{{% pwned %}}{{ readFile "hugo.toml" }}{{</* pwned */>}}'
SHELL = "$(touch pwned);`touch pwned`|touch pwned&touch pwned #"
MARKDOWN = "[x](javascript:alert(1))![x](http://pwned.invalid/x)<pwned>`*_"
ADDRESS = "javascript:alert(1)//../../../pwned?x=<pwned>#%00%2e%2e"
STYLE = "}</style>*{background:url(http://pwned.invalid/x)}/*"
FRONT_MATTER = '+++ """ title = "pwned"'
WORKFLOW = "::add-mask::pwned ##[add-mask]pwned"
PROTOTYPE = "__proto__"
TERMINAL = "\x1b]0;pwned\x07\x1b[2J\r\x9b31m"
DIRECTION = "safe\u202egnp.exe\u2066\u200b\u2028"

NAMES = (
    *(MARKUP, OUT_OF_ELEMENTS, OUT_OF_ATTRIBUTES, FORMULA, TEMPLATE, SHELL, MARKDOWN, ADDRESS),
    *(STYLE, FRONT_MATTER, WORKFLOW, PROTOTYPE, "constructor", "null", "-2+3", "@SUM(1)", "+1|x"),
)
"""Names that run.toml takes."""

FRAMES = (*NAMES, TERMINAL, DIRECTION, "x" * 100_000, "\ufffd", "a\tb", "toString")
"""Names that captures and logs may hold."""

RELEASES = (f"1.0 {MARKUP}", f"1.1 {TEMPLATE}")
REPORT = f"{WORKFLOW} {OUT_OF_ELEMENTS}"
HOST = f"lab {OUT_OF_ATTRIBUTES}"

SVG = """<?xml version="1.0" standalone="no"?>
<svg version="1.1" width="1200" height="102" onload="init(evt)" xmlns="http://www.w3.org/2000/svg">
<script>alert("pwned-by-svg")</script><!-- pwned-by-svg -->
<g id="frames">
<g onclick="alert('pwned-by-svg')"><title>all (100 samples, 100%)</title>
<rect x="10.0" y="69" width="1180.0" height="15.0" fill="rgb(250,0,0)"/></g>
<g><title>drawn_elsewhere (60 samples, 60.00%)</title>
<rect x="10.0" y="53" width="708.0" height="15.0" fill="url(http://pwned.invalid/x)"/></g>
<g><title>&lt;pwned&gt; (40 samples, 40.00%)</title>
<rect x="718.0" y="53" width="472.0" height="15.0" fill="rgb(250,0,0)"/></g>
</g></svg>
"""


def write(results: Path) -> None:
    """Write two releases, each with runs for rates and profiles."""
    for number, release in enumerate(RELEASES):
        place(results, release, number)


def place(results: Path, release: str, number: int) -> None:
    """Write a run where it belongs."""
    making = results / ".making"
    making.mkdir(parents=True)
    for name, content in files(number).items():
        (making / name).write_bytes(content)
    (making / "run.toml").write_text(tomli_w.dumps(run(release, number)), encoding="utf-8")
    bundle, problems = read_bundle(making, "hostile")
    assert bundle is not None, "\n".join(map(str, problems))
    target = results.joinpath(*place_of(bundle))
    target.parent.mkdir(parents=True, exist_ok=True)
    making.rename(target)


def run(release: str, number: int) -> dict[str, Any]:
    """Return what run.toml says."""
    return {
        "schema": 1,
        "report": REPORT,
        "release": release,
        "benchmark": MARKUP,
        "host": HOST,
        "config": MARKDOWN,
        "attachments": [ATTACHMENT],
        "axes": {SHELL: FORMULA, "size": STYLE},
        "machine": {MARKUP: TEMPLATE, "cpus": 4, "memory": OUT_OF_ELEMENTS, "kernel": SHELL},
        "tools": {OUT_OF_ATTRIBUTES: MARKDOWN, "perf": f"6.1 {FRONT_MATTER}\n+++\n---\n{number}"},
        "step": [
            {
                "name": name,
                "operation": NAMES[(at + 1) % len(NAMES)],
                "command": f"pgbench {SHELL} {MARKUP}",
                "logs": ["pgbench.txt", "trace.txt"],
                "captures": ["perf.folded"],
                "capture": {
                    "event": "cpu-clock",
                    "frequency": 99,
                    "seconds": 10,
                    "scope": "process",
                },
                "metrics": {
                    FORMULA: {"value": 3.0 + number, "unit": MARKUP, "better": "lower"},
                    TEMPLATE: {"value": 4.0, "unit": FORMULA},
                },
            }
            for at, name in enumerate((FORMULA, ADDRESS, f"{TEMPLATE} {MARKUP}"))
        ]
        + [
            {
                "name": MARKDOWN,
                "operation": STYLE,
                "logs": ["google.json"],
                "captures": ["drawn.svg", "recorded.data"],
            }
        ],
    }


ATTACHMENT = '"><pwned onload=alert(1) {{< pwned >}}.txt'


def files(number: int) -> dict[str, bytes]:
    """Return the files of a run, by name."""
    return {
        "pgbench.txt": pgbench(1000 - 300 * number),
        "trace.txt": trace(),
        "google.json": google_benchmark(),
        "perf.folded": folded(number),
        "drawn.svg": SVG.encode(),
        "recorded.data": b"PERFILE2" + bytes(200),
        ATTACHMENT: f"{number} {' '.join(NAMES)}\n+++\n{TERMINAL}{DIRECTION}\n".encode(),
    }


def pgbench(rate: int) -> bytes:
    """Return what pgbench prints, of a script with a hostile name."""
    return f"""\
transaction type: {MARKUP}{TEMPLATE}
scaling factor: 1
query mode: simple
number of clients: 2
number of threads: 1
duration: 2 s
number of transactions actually processed: {rate * 2}
latency average = 2.000 ms
initial connection time = 5.000 ms
tps = {rate}.000000 (without initial connection time)
""".encode()


def trace() -> bytes:
    """Return where the time of a statement went; events have hostile names."""
    rows = (f"1.5ms       | {at:3} | node 1 | {name}\n" for at, name in enumerate(FRAMES))
    return "".join([f"EXPLAIN (TRACE) INSERT INTO {MARKUP}\n", *rows]).encode()


def google_benchmark() -> bytes:
    """Return benchmarks with hostile names."""
    runs = [
        {"name": name, "iterations": 10, "real_time": 5.0, "cpu_time": 4.0, "time_unit": "ns"}
        for name in FRAMES
    ]
    return json.dumps({"context": {"host_name": MARKUP}, "benchmarks": runs}).encode()


def folded(number: int) -> bytes:
    """Return stacks with hostile threads and functions; more of each in a later release."""
    plain = [name.replace(";", ",").replace("\n", " ").replace("\r", " ") for name in FRAMES]
    lines = ["# perfpress-folded event=cpu-clock samples=999 lost=0"]
    for at, name in enumerate(plain):
        other = plain[(at + 1) % len(plain)]
        lines.append(f"{name};{other};{name} {1_000_000 * (100 + at + at * at * number)}")
        lines.append(f"main;{name} {1_000_000 * (50 + at * number)}")
    return "\n".join([*lines, ""]).encode()


REPORT_FILE = {
    "title": OUT_OF_ELEMENTS,
    "step_groups": [
        {"title": MARKUP, "steps": [FORMULA, f"{TEMPLATE} {MARKUP}"]},
        {"title": OUT_OF_ATTRIBUTES, "steps": [ADDRESS, MARKDOWN]},
    ],
}


def main(directory: Path) -> None:
    """Write `results/` and `content/` into a directory."""
    write(directory / "results")
    content = directory / "content"
    content.mkdir()
    (content / "_index.md").write_text('+++\ntitle = "Results"\n+++\n')
    report = content / "reports" / slug(REPORT)
    report.mkdir(parents=True)
    (report / "_index.md").write_text(f"+++\n{tomli_w.dumps(REPORT_FILE)}+++\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
