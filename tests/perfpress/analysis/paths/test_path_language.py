"""What can be written as a path, what it means, and the errors of everything else."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from perfpress.analysis.paths.evaluate import Evaluation, evaluate, evaluate_rest, nodes_of
from perfpress.analysis.paths.names import (
    fits,
    means_function,
    names_meant,
    nearest_names,
    starts,
    without_templates,
)
from perfpress.analysis.paths.parse import (
    Chain,
    FrameClass,
    Name,
    Self,
    ShareOfPath,
    Step,
    Widest,
    names_of,
    over_whole_profile,
    parse_path,
)
from perfpress.analysis.paths.tokens import PathError
from profile_samples import Stacks, profile_of_stacks
from vectors import vectors

A, B, C = Name("A"), Name("B"), Name("C")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("A", Chain((Step((A,)),))),
        ("  A  ", Chain((Step((A,)),))),
        ("A > B", Chain((Step((A,)), Step((B,), anywhere=False)))),
        ("A >> B", Chain((Step((A,)), Step((B,))))),
        (
            "A > B? > C",
            Chain((Step((A,)), Step((B,), False, (), True), Step((C,), False))),
        ),
        ("A > B | C", Chain((Step((A,)), Step((B, C), False)))),
        ("!A >> B", Chain((Step((B,), True, (A,)),))),
        ("!A | C >> B", Chain((Step((B,), True, (A, C)),))),
        ("!A >> !B >> C", Chain((Step((C,), True, (A, B)),))),
        ("A >> !B >> C", Chain((Step((A,)), Step((C,), True, (B,))))),
        ("self(A)", Self(Chain((Step((A,)),)))),
        ("widest( A )", Widest(Chain((Step((A,)),)))),
        ("self(widest(A))", Self(Widest(Chain((Step((A,)),))))),
        (
            "self(A) of widest(B)",
            ShareOfPath(Self(Chain((Step((A,)),))), Widest(Chain((Step((B,)),)))),
        ),
        ("[kernel]", Chain((Step((FrameClass("kernel"),)),))),
        ("[libc.so.6]", Chain((Step((Name("[libc.so.6]"),)),))),
        ('"[kernel]"', Chain((Step((Name("[kernel]", literal=True),)),))),
        (r'"a \"b\" \\ > c"', Chain((Step((Name(r'a "b" \ > c', literal=True),)),))),
        ("IO 2 bg", Chain((Step((Name("IO 2 bg"),)),))),
        ("my-of-a", Chain((Step((Name("my-of-a"),)),))),
        ("V<int, F<int> > > B", Chain((Step((Name("V<int, F<int> >"),)), Step((B,), False)))),
        ("operator> > B", Chain((Step((Name("operator>"),)), Step((B,), False)))),
        ("operator< >> B", Chain((Step((Name("operator<"),)), Step((B,))))),
        ("operator-> >> B", Chain((Step((Name("operator->"),)), Step((B,))))),
        ("self(operator())", Self(Chain((Step((Name("operator()"),)),)))),
        ("self((anonymous)::f)", Self(Chain((Step((Name("(anonymous)::f"),)),)))),
        ('self("f)")', Self(Chain((Step((Name("f)", literal=True),)),)))),
    ],
)  # fmt: skip
def test_paths(text: str, path: object) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize(
    ("text", "position", "found"),
    [
        ("", 1, "the end"),
        ("A >", 4, "the end"),
        ("A > > B", 5, "'>'"),
        ("> A", 1, "'>'"),
        ("A |", 4, "the end"),
        ("A of", 5, "the end"),
        ("A of B of C", 8, "'of'"),
        ("self(A", 7, "the end"),
        ("self(A) > B", 9, "'>'"),
        ("self(A) B", 9, "'B'"),
        ("self(self(A))", 6, "'self('"),
        ("widest(self(A))", 8, "'self('"),
        ("A > self(B)", 5, "'self('"),
        ("A?", 2, "'?' at the first name"),
        ("A > B?", 6, "'?' at the last name"),
        ("A > B? | C > D", 8, "'|'"),
        ("!A", 3, "the end"),
        ("!A > B", 4, "'>'"),
        ("A > !B >> C", 5, "'!'"),
        ('"A', 1, "a quote that is not closed"),
        ('"A"B', 4, "'B'"),
        ("f<int", 1, "'<' that is not closed"),
    ],
)
def test_errors_point_at_the_character(text: str, position: int, found: str) -> None:
    with pytest.raises(PathError) as raised:
        parse_path(text)
    assert (raised.value.position, raised.value.found) == (position, found)
    assert raised.value.expected
    assert str(raised.value).startswith(f"character {position}: found {found}; expected ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A |", "a name"),
        ("A of B of C", "an operator, or the end"),
        ("self(self(A))", "a path without self()"),
        ("self(A", "')'"),
        ("widest(A", "')'"),
        ("A > !B >> C", "a name, or '>>' before the '!'"),
        ("!A", "'>>' and a name after the one with '!'"),
        ("A > B? | C > D", "'?' only behind the last of several names, as it is for all"),
        ("A?", "a name that must be there"),
    ],
)
def test_errors_say_what_would_be_a_path(text: str, expected: str) -> None:
    with pytest.raises(PathError) as raised:
        parse_path(text)
    assert raised.value.expected == expected


def test_the_names_of_a_path_are_known_with_their_places() -> None:
    path = parse_path('self(widest(A >> !B | [kernel] >> "C" > D)) of E | F')
    assert [(name.text, name.position) for name in names_of(path)] == [
        ("A", 13),
        ("B", 19),
        ("C", 35),
        ("D", 41),
        ("E", 48),
        ("F", 52),
    ]


@given(st.text(alphabet=st.sampled_from('AB >|?!"()<*[]\\of self'), max_size=25))
@example("self(")
@example("A  >>  ")
def test_any_text_is_a_path_or_a_path_error(text: str) -> None:
    profile = profile_of_stacks({("A", "B"): 1})
    try:
        path = parse_path(text)
    except PathError as error:
        assert 1 <= error.position <= len(text) + 1  # noqa: PT017
    else:
        evaluate(profile, path)
        evaluate(profile, over_whole_profile(path))


@given(st.text(min_size=1, max_size=20).filter(lambda name: name != "t"))
def test_any_name_in_quotes_means_itself_alone(name: str) -> None:
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    profile = profile_of_stacks({("t", name): 3, ("t", "other" + name): 5})
    assert evaluate(profile, parse_path(quoted)).weight == 3


VECTORS = vectors("drilldown_paths")


@pytest.mark.parametrize(("text", "expected"), VECTORS["paths"])
def test_paths_that_readers_type_on_pages_mean_the_same_here(
    text: str, expected: list[list[str]]
) -> None:
    profile = profile_of_stacks({tuple(frames): weight for frames, weight in VECTORS["stacks"]})
    try:
        nodes = np.flatnonzero(nodes_of(profile, parse_path(text))).tolist()
    except PathError:
        nodes = []
    assert sorted(profile.path(node) for node in nodes) == sorted(map(tuple, expected))


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("A > B", "B"),
        ("A >> B | C", "B | C"),
        ("self(A > B)", "self(B)"),
        ("widest(A > B)", "B"),
        ("self(widest(A > B))", "self(B)"),
        ("A > B of C", "B"),
        ("!A >> B", "B"),
    ],
)
def test_the_view_over_the_whole_profile_is_of_the_last_frame(path: str, other: str) -> None:
    assert over_whole_profile(parse_path(path)) == parse_path(other)


def weigh(path: str, tree: Stacks, keys: dict[str, str] | None = None) -> Evaluation:
    return evaluate(profile_of_stacks(tree, keys), parse_path(path))


@pytest.mark.parametrize(
    ("path", "name", "is_meant"),
    [
        ("Next", "rocksdb::Iterator::Next", True),
        ("Iterator::Next", "rocksdb::Iterator::Next", True),
        ("ator::Next", "rocksdb::Iterator::Next", False),
        ("rocksdb::Next", "rocksdb::Iterator::Next", False),
        ("BlockIter::Seek", "rocksdb::BlockIter<rocksdb::IndexValue>::Seek", True),
        ("BlockIter<r::IndexValue>::Seek", "rocksdb::BlockIter<r::IndexValue>::Seek", True),
        ("BlockIter<r::Slice>::Seek", "rocksdb::BlockIter<r::IndexValue>::Seek", False),
        ("IndexValue", "rocksdb::BlockIter<rocksdb::IndexValue>", False),
        ("sort", "void std::sort<int*>", True),
        ("std::sort", "void std::sort<int*>", True),
        ("f", "(anonymous namespace)::f", True),
        ("new", "operator new", False),
        ("operator new", "operator new", True),
        ("operator<<", "std::operator<< <std::char_traits<char> >", True),
        ("operator()", "std::function<void (int)>::operator()", True),
        ("function::operator()", "std::function<void (int)>::operator()", True),
        ("drop", "<alloc::Vec<T> as core::Drop>::drop", True),
        ("mem*", "memcpy", True),
        ("mem*", "__memcpy", False),
        ("*mem*", "__memcpy", True),
        ("rocksdb::*", "rocksdb::Iterator::Next", True),
        ("Iter*::Ne*t", "rocksdb::Iterator::Next", True),
        ("a*a", "a", False),
        ('"Next"', "rocksdb::Iterator::Next", False),
        ('"mem*"', "mem*", True),
        ('"mem*"', "memcpy", False),
        ("[unknown]", "[unknown]", True),
    ],
)  # fmt: skip
def test_which_names_a_path_means(path: str, name: str, is_meant: bool) -> None:
    assert bool(weigh(path, {("thread", name): 1}).names) == is_meant


def test_names_are_compared_by_key_and_as_they_stand() -> None:
    tree: Stacks = {("t", "f.cold"): 1, ("t", "f"): 2}
    assert weigh("f", tree, {"f.cold": "f"}).weight == 3
    assert weigh("f.cold", tree, {"f.cold": "f"}).weight == 1


def test_threads_are_compared_by_what_the_kernel_keeps() -> None:
    tree: Stacks = {("my-oneconnectio", "f"): 1, ("my-one", "my-oneconnectio"): 2}
    assert weigh("my-oneconnection", tree).weight == 1
    assert weigh("my-oneconnector", tree).missing is not None
    assert weigh("my-one*", tree).weight == 3


def test_a_star_means_threads_by_their_name_or_their_key() -> None:
    tree: Stacks = {(":1234", "f"): 1}
    keys = {":1234": "worker"}
    for path in ("work*", ":12*", "worker"):
        assert weigh(path, tree, keys).weight == 1
    assert weigh("orker*", tree, keys).missing is not None
    assert weigh("1234*", tree, keys).missing is not None


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("a*b", "ab", True),
        ("a*b*b", "abb", True),
        ("*a*b", "ab", True),
        ("ab*b*", "abx", False),
        ("a*z*c", "abc", False),
        ("aab*c*c", "aabc", False),
        ("a*bc*c", "abcc", True),
    ],
)
def test_each_part_between_stars_is_behind_the_one_before(
    pattern: str, text: str, matches: bool
) -> None:
    assert fits(pattern, text, 0) == matches
    assert fits(pattern, "x" + text, 1) == matches


def test_names_of_more_than_8192_characters_mean_themselves_alone() -> None:
    longest, longer = "a::" + "f" * 8189, "a::" + "f" * 8190
    assert weigh("f" * 8189, {("t", longest): 1}).weight == 1
    assert weigh("f" * 8190, {("t", longer): 1}).missing is not None
    assert weigh(longer, {("t", longer): 1}).weight == 1
    for name, key in ((longer, "x::short"), ("x::short", longer)):
        assert weigh("x::short", {("t", name): 1}, {name: key}).weight == 1
        assert weigh("short", {("t", name): 1}, {name: key}).missing is not None
    assert weigh("f" * 8189, {("t", "short"): 1}, {"short": longest}).weight == 1


def test_matched_names_come_with_their_weight_and_mixed_classes_warn() -> None:
    evaluation = weigh(
        "run", {("run", "main"): 1, ("t", "x::run", "x::run"): 5, ("t", "run_[k]"): 2}
    )
    assert [(each.name, each.frame_class, each.weight) for each in evaluation.names] == [
        ("x::run", "user", 5),
        ("run", "kernel", 2),
        ("run", "thread", 1),
    ]
    assert evaluation.mixed_classes == ("kernel", "thread", "user")
    assert weigh("main", {("run", "main"): 1}).mixed_classes == ()


def test_a_matched_name_weighs_all_its_calls_but_those_within_others_of_it() -> None:
    tree: Stacks = {
        ("t", "a", "w"): 5,
        ("t", "a", "x", "w", "y", "w"): 3,
        # next in the tree to the call before it
        ("t", "w"): 2,
        ("t", "w", "w"): 1,
    }
    (only,) = weigh("w", tree).names
    assert (only.name, only.weight) == ("w", 11)


def test_the_rest_of_a_share_is_that_of_its_part_and_without_parts_counted_once() -> None:
    profile = profile_of_stacks({("t", "a", "b", "c"): 1, ("t", "a", "b"): 2, ("t", "a"): 4})
    whole, parts = parse_path("a of t"), [parse_path("b of a"), parse_path("c"), parse_path("x")]
    found = evaluate_rest(profile, whole, parts)
    assert (found.weight, found.whole, found.missing) == (4, 7, None)
    assert found.widest is not None
    assert profile.names[profile.name[found.widest]] == "a"
    assert evaluate_rest(profile, whole, []).weight == 7
    missing = evaluate_rest(profile, parse_path("a >> x"), parts).missing
    assert missing is not None
    assert missing.at == 1


def test_the_missing_step_is_the_first_that_is_not_there() -> None:
    tree: Stacks = {("t", "a", "b"): 1}
    missing = weigh("a > x > b", tree).missing
    assert missing is not None
    assert missing.step.alternatives == (Name("x"),)
    evaluation = weigh("b of x", tree)
    assert evaluation.share is None
    assert evaluation.missing is not None
    assert evaluation.missing.step.alternatives == (Name("x"),)


@pytest.mark.parametrize(
    ("path", "stack", "weight"),
    [
        # Each optional frame that is left out passes on how far below the next may be …
        ("a >> b? > c? > d", ("a", "z", "d"), 1),
        ("a > b? > c? > d", ("a", "z", "d"), 0),
        ("a > b? >> c? > d", ("a", "z", "d"), 1),
        ("a > b? > c? > d", ("a", "d"), 1),
        # … and what may not be between.
        ("a >> !x >> b? >> c? >> d", ("a", "x", "d"), 0),
        ("a >> !x >> b? >> c? >> d", ("a", "y", "d"), 1),
        ("a >> !x >> b? >> c? >> d", ("a", "b", "x", "d"), 1),
    ],
)
def test_optional_frames_in_a_row(path: str, stack: tuple[str, ...], weight: int) -> None:
    assert weigh(path, {("t", *stack): 1}).weight == weight


def test_nothing_matches_the_root() -> None:
    tree: Stacks = {("t", "a"): 1}
    assert weigh("all", tree).missing is not None
    assert weigh("!* >> t", tree).weight == 1
    assert weigh("[thread]", tree).names[0].name == "t"
    assert weigh("all", {("all", "a"): 1}).weight == 1


def test_near_names_are_offered() -> None:
    profile = profile_of_stacks({("t", "rocksdb::DBIter<int>::FindNextUserEntry", "memcpy"): 1})
    assert nearest_names(profile, "FindNextUserEntri") == [
        "rocksdb::DBIter<int>::FindNextUserEntry"
    ]
    assert nearest_names(profile, "zzz") == []
    near = profile_of_stacks({("mysqld", f"db::find_row{at}"): 1 for at in range(5)})
    assert len(nearest_names(near, "other::find_rows")) == 3
    assert nearest_names(near, "mysqlt") == ["mysqld"]
    # five of eight letters are alike: less than seven tenths
    assert nearest_names(near, "find_in") == []


@given(st.text(alphabet="ab:<>()[]{} -operator", max_size=30))
def test_any_name_has_shorter_spellings_that_it_ends_with(name: str) -> None:
    assert 0 in starts(name)
    assert all(0 <= at <= len(name) for at in starts(name))
    assert len(without_templates(name)) <= len(name)


@given(
    st.lists(st.text(alphabet="ab:<>() -operator", min_size=1, max_size=20), min_size=1),
    st.text(alphabet="ab:<>() -operator", min_size=1, max_size=12),
    st.data(),
)
def test_no_name_that_is_meant_is_passed_over(
    names: list[str], wanted: str, data: st.DataObject
) -> None:
    if data.draw(st.booleans()):
        name = data.draw(st.sampled_from(names))
        wanted = name[data.draw(st.sampled_from(sorted(starts(name)))) :] or wanted
    profile = profile_of_stacks({("t", name): 1 for name in names})
    found = names_meant(profile, (Name(wanted),))
    for name, frame_class, meant in zip(profile.names, profile.classes, found, strict=True):
        assert frame_class == "thread" or bool(meant) == means_function(wanted, name, name)


def test_a_megabyte_of_name_is_no_work() -> None:
    name = "a::" * 350_000
    assert weigh("a", {("t", name): 1}).missing is not None
    assert weigh('"' + name + '"', {("t", name): 1}).weight == 1


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("heavy (w.py:3)", "heavy (w.py)"),
        ("readFile (node:fs)", "readFile (node:fs)"),
        ("_load (<frozen importlib._bootstrap>)", "_load (<frozen importlib._bootstrap>)"),
    ],
)
def test_a_function_may_be_named_without_the_file_of_its_source(name: str, key: str) -> None:
    plain = name.partition(" ")[0]
    assert means_function(plain, name, key)
    assert means_function(name, name, key)
    assert means_function(key, name, key)
    assert not means_function(plain[1:], name, key)
