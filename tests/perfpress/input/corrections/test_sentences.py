"""What corrections do, in sentences."""

import pytest
from perfpress.input.corrections.files import Accept, AnyCorrection, Invalid, Rename, Set, Supersede
from perfpress.input.corrections.sentences import replaced_sentence, sentence_of

WHY = "A backup ran."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Invalid(run="1-a", reason=WHY), "Run 1-a does not count: A backup ran."),
        (
            Invalid(run="1-a", step="scan", reason=WHY),
            "Run 1-a does not count for scan: A backup ran.",
        ),
        (Invalid(release="17", reason=WHY), "No run of 17 counts: A backup ran."),
        (
            Invalid(release="17", step="scan", reason=WHY),
            "No run of scan on 17 counts: A backup ran.",
        ),
        (
            Supersede(run="1-a", replacement="2-b", reason=WHY),
            "Run 1-a does not count; run 2-b replaces it: A backup ran.",
        ),
        (
            Supersede(run="1-a", replacement="2-b", step="scan", reason=WHY),
            "Run 1-a does not count for scan; run 2-b replaces it: A backup ran.",
        ),
        (
            Set(run="1-a", key="clients", value=8, reason="the script says 8"),
            "“clients” of run 1-a is now 8: the script says 8.",
        ),
        (
            Set(release="17", key="machine.kernel", value="6.1.0", reason=WHY),
            "“machine.kernel” of all runs of 17 is now “6.1.0”: A backup ran.",
        ),
        (
            Set(run="1-a", step="scan", key="capture.separate_run", value=True, reason=WHY),
            "“capture.separate_run” of scan in run 1-a is now true: A backup ran.",
        ),
        (
            Rename(what="step", old="insert range=100", new="insert", reason="One name for all!"),
            "Step “insert range=100” is now called “insert”: One name for all!",
        ),
        (
            Accept(release="18", step="scan", reason=WHY),
            "The regression of scan on 18 is known and accepted: A backup ran.",
        ),
        (
            Accept(release="18", variant="lab1--8clients", reason=WHY),
            "Every regression of 18, lab1--8clients is known and accepted: A backup ran.",
        ),
    ],
)
def test_a_correction_says_what_it_does_and_why(change: AnyCorrection, sentence: str) -> None:
    assert sentence_of(change) == sentence


def test_names_of_strangers_stay_on_one_line_and_short() -> None:
    sentence = sentence_of(Rename(what="step", old="a\u202eb", new="x" * 2000, reason=WHY))
    assert "\u202e" not in sentence
    assert len(sentence) < 400


def test_a_run_that_replaces_another_needs_no_reason() -> None:
    assert replaced_sentence("1-a", "2-b") == "Run 1-a does not count; run 2-b replaces it."


def test_where_there_are_several_releases_a_run_is_of_one() -> None:
    invalid = Invalid(run="1-a", reason=WHY)
    assert sentence_of(invalid, "8.4.5") == "Run 1-a of 8.4.5 does not count: A backup ran."
    replaced = Supersede(run="1-a", replacement="2-b", reason=WHY)
    assert sentence_of(replaced, "8.4.5").startswith("Run 1-a of 8.4.5 does not count; run 2-b")
    assert replaced_sentence("1-a", "2-b", "8.4.5").startswith("Run 1-a of 8.4.5 does not count;")
