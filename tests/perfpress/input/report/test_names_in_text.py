"""Names in the shortcodes of a text are checked before anything is made of results."""

from pathlib import Path

import pytest
from bundle_samples import FILES, accepted, folded
from perfpress.analysis.study.study import StudyInputs, read_inputs
from perfpress.base.cache import Cache
from perfpress.input.report.names_in_text import problems_of_text
from perfpress.input.report.shortcodes import ARGUMENTS
from perfpress.site.shortcodes.registry import SHORTCODES

FRONT = """\
+++
title = "Servers"

[[drilldowns]]
name = "reading"
columns = [{ head = "kernel", path = "[kernel]" }, { head = "index / heap", path = "heap" }]
+++

"""
RENAMES = {
    "2026-03-01-step.toml": ("step", "insert/range=100", "select"),
    "2026-03-02-release.toml": ("release", "17-beta", "17"),
}


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Return a directory with two releases of one step, both renamed."""
    for release in ("17", "18"):
        step = {"name": "select", "operation": "transaction", "logs": ["select.txt"]}
        step |= {"captures": ["cpu.folded.gz"]}
        files = FILES | {"cpu.folded.gz": folded(400)}
        accepted(tmp_path / "results", {"release": release, "step": [step]}, files)
    return tmp_path


def found(inputs: Path, body: str, front: str = FRONT) -> list[str]:
    """Return the problems of a text, as they are shown."""
    text = inputs / "content" / "reports" / "postgres-releases" / "_index.md"
    text.parent.mkdir(parents=True, exist_ok=True)
    text.write_text(front + body)
    read: StudyInputs = read_inputs(
        inputs / "results",
        inputs / "corrections",
        inputs / "content",
        Cache(inputs / "cache"),
        1,
        lambda _: None,
    )
    (report,) = read.reports
    runs, corrections = read.runs_of(report), read.corrections_of(report)
    problems = problems_of_text(
        inputs / "content", report, runs, corrections, lambda: {"throughput", "index hits"}
    )
    return [f"{each.path}:{each.line}: {each.found}; {each.do}" for each in problems]


PLACE = "content/reports/postgres-releases/_index.md"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('chart "selct"', 'shortcode chart: no step "selct"; did you mean "select"?'),
        ('diff "18" "select" "71"', 'shortcode diff: no release "71"; correct the name'),
        ('verdicts release="19x"', 'shortcode verdicts: no release "19x"'),
        ("flamegraph `18` `delete`", 'shortcode flamegraph: no step "delete"'),
        ('cell "18/selct/throughput"', 'shortcode cell: no step "selct"; did you mean "select"?'),
        ('cell "18/select/readng/rows"', 'shortcode cell: no drilldown "readng"; did you mean "r'),
        ('cell "81/select/throughput"', 'shortcode cell: no release "81"; correct the name'),
        ('drilldown "readng" "path"', 'shortcode drilldown: no drilldown "readng"'),
        (
            'cell "18/select"',
            'shortcode cell: "18/select" names a step and no number of it; '
            'did you mean "18/select/throughput"?',
        ),
        (
            'cell "18/select/thruput"',
            'shortcode cell: no number "thruput"; did you mean "throughput"?',
        ),
        ('cell "18/select/1OOO"', 'shortcode cell: no number "1OOO"; correct the name'),
        ('cell "18/select/against-bse"', 'shortcode cell: no number "against-bse"; did you mean'),
        (
            'cell "18/select/reading/kernl"',
            'shortcode cell: no column of the drilldown "reading" "kernl"; did you mean "kernel"?',
        ),
        ('trace "18" "select" "1O"', 'shortcode trace: "1O" is no number of a trace; correct the'),
        ('trace "18" "select" "0"', 'shortcode trace: "0" is no number of a trace; correct the nu'),
        ('calltree "any"', 'shortcode calltree: no call tree "any"; correct the name'),
        ('chart "select" variant="other"', 'shortcode chart: no variant "other"'),
        ('throughput "throughput-other"', 'shortcode throughput: no table of a variant "through'),
        ('releases "by-release-other"', 'shortcode releases: no chart of a variant "by-release'),
        ('verdict "18"', 'no shortcode "verdict"; did you mean "verdicts"?'),
        (
            'chart "select" variant="socket2"',
            'shortcode chart: variant is given by name, and "select" is not; '
            'write {{< chart step="select" variant="socket2" >}}',
        ),
        ("my/own", 'no shortcode "my/own"; correct the name'),
    ],
)
def test_a_name_that_nothing_has_is_found_with_its_line(
    inputs: Path, call: str, message: str
) -> None:
    (problem,) = found(inputs, f"First.\n\n{{{{< {call} >}}}}\n")
    found_there, do = message.partition("; write ")[::2]
    assert problem.startswith(f"{PLACE}:11: {found_there}".replace('"', "'"))
    assert problem.endswith(do)


@pytest.mark.parametrize(
    "call",
    [
        'chart "select"',
        'chart step="select" variant="socket2"',
        'suspects "18" "select"',
        'drilldown "reading" "profile"',
        'drilldown "reading/select"',
        'trace "18" "select" "2"',
        'cell "18/select/against-base"',
        'cell "18/select/reading/index / heap"',
        'cell "18/select/reading/kernel/cost"',
        'cell "18/select/latency_p99.9"',
        'cell "18/select/cost"',
        'cell "18/select/index hits"',
        'throughput "throughput-socket2"',
        'ref "anything"',
        'listing "verdicts"',
        '/* chart "no step" */',
    ],
)
def test_what_is_known_or_no_concern_of_results_passes(inputs: Path, call: str) -> None:
    assert found(inputs, f"{{{{< {call} >}}}}") == []


def test_front_matter_has_no_shortcodes(inputs: Path) -> None:
    call = "{{< nothing >}}"
    front = FRONT.replace('"Servers"', f'"{call}"')
    assert len(found(inputs, call, front)) == 1


def test_names_from_before_a_rename_are_known(inputs: Path) -> None:
    directory = inputs / "corrections" / "postgres-releases"
    directory.mkdir(parents=True)
    for name, (what, new, old) in RENAMES.items():
        text = f'kind = "rename"\nwhat = "{what}"\nfrom = "{old}"\nto = "{new}"\nreason = "x"\n'
        (directory / name).write_text(text)
    calls = ['chart "select"', 'cell "17/select/throughput"', 'diff "18" "select" "17"']
    calls += ['chart "insert/range=100"', 'cell "17-beta/insert/range=100/throughput"']
    assert found(inputs, "\n".join(f"{{{{< {call} >}}}}" for call in calls)) == []
    assert len(found(inputs, '{{< chart "range" >}}')) == 1


@pytest.mark.parametrize("shortcode", ARGUMENTS)
def test_a_variant_that_a_correction_changed_is_found_in_every_shortcode(
    inputs: Path, shortcode: str
) -> None:
    directory = inputs / "corrections" / "postgres-releases"
    directory.mkdir(parents=True)
    for release in ("17", "18"):
        text = f'kind = "set"\nrelease = "{release}"\nkey = "host"\nvalue = "b"\nreason = "x"\n'
        (directory / f"2026-03-01-{release}.toml").write_text(text)
    (problem,) = found(inputs, f'{{{{< {shortcode} variant="socket2" >}}}}')
    assert problem.startswith(f"{PLACE}:9: shortcode {shortcode}: no variant 'socket2'")
    assert found(inputs, f'{{{{< {shortcode} variant="b" >}}}}') == []


def test_every_shortcode_has_arguments() -> None:
    assert {each.name for each in SHORTCODES} == ARGUMENTS.keys()
