"""Paths evaluated on the tree, against the same paths evaluated stack by stack."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.analysis.paths.evaluate import evaluate
from perfpress.analysis.paths.parse import (
    Alternative,
    Chain,
    FrameClass,
    Name,
    Path,
    Self,
    ShareOfPath,
    Step,
    Term,
    Widest,
)
from profile_samples import Stacks, frame_of, profile_of_stacks

Stack = tuple[str, ...]

NAMES = ["a", "b", "c", "d"]
stacks = st.dictionaries(
    st.lists(st.sampled_from([*NAMES, "b_[k]"]), min_size=1, max_size=7).map(tuple),
    st.integers(1, 50),
    min_size=1,
    max_size=15,
)
alternatives = st.lists(
    st.one_of(
        st.sampled_from([*NAMES, "*", "x"]).map(Name),
        st.sampled_from(["kernel", "thread", "user"]).map(FrameClass),
    ),
    min_size=1,
    max_size=2,
).map(tuple)


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    length = draw(st.integers(1, 4))
    steps = []
    for at in range(length):
        anywhere = at == 0 or draw(st.booleans())
        excluded = draw(st.one_of(st.just(()), alternatives)) if anywhere else ()
        optional = 0 < at < length - 1 and draw(st.booleans())
        steps.append(Step(draw(alternatives), anywhere, excluded, optional))
    return Chain(tuple(steps))


terms = st.one_of(
    chains(),
    chains().map(Self),
    chains().map(Widest),
    chains().map(Widest).map(Self),
)


def is_meant(frame: str, at: int, wanted: tuple[Alternative, ...]) -> bool:
    name, kind = frame_of(frame, at == 0)
    return any(
        each.name == kind if isinstance(each, FrameClass) else each.text in (name, "*")
        for each in wanted
    )


def without_optional_steps(chain: Chain) -> Iterator[list[Step]]:
    """Yield the chain with each selection of its optional steps, all of them made certain."""
    choices = [(True, False) if step.optional else (True,) for step in chain.steps]
    for taken in product(*choices):
        steps: list[Step] = []
        anywhere = False
        not_below: tuple[Alternative, ...] = ()
        for step, is_taken in zip(chain.steps, taken, strict=True):
            anywhere |= step.anywhere
            not_below += step.not_below
            if is_taken:
                steps.append(Step(step.alternatives, anywhere, not_below))
                anywhere, not_below = False, ()
        yield steps


def ends(stack: Stack, steps: list[Step], start: int = -1) -> set[int]:
    """Return where in a stack the last of some steps may be, the first being below `start`."""
    if not steps:
        return {start}
    step, *rest = steps
    found: set[int] = set()
    for at in range(start + 1, len(stack)):
        between = range(start + 1, at)
        if (
            is_meant(stack[at], at, step.alternatives)
            and (step.anywhere or at == start + 1)
            and not any(is_meant(stack[each], each, step.not_below) for each in between)
        ):
            found |= ends(stack, rest, at)
    return found


def places(tree: Stacks, term: Term) -> dict[Stack, set[int]]:
    """Return, for each stack, where in it the last frame of a term is."""
    match term:
        case Self(path=inner):
            return places(tree, inner)
        case Chain():
            return {
                stack: set().union(*(ends(stack, each) for each in without_optional_steps(term)))
                for stack in tree
            }
        case Widest(chain=chain):
            weights: dict[Stack, int] = defaultdict(int)
            found = places(tree, chain)
            for stack, positions in found.items():
                for at in positions:
                    weights[stack[: at + 1]] += tree[stack]
            if not weights:
                return {stack: set() for stack in tree}
            order = sorted(weights, key=lambda path: [frame.encode() for frame in path])
            best = max(order, key=lambda path: weights[path])
            return {
                stack: {at for at in positions if stack[: at + 1] == best}
                for stack, positions in found.items()
            }


def samples(tree: Stacks, term: Term) -> set[Stack]:
    """Return the stacks whose samples belong to a term."""
    leaf_only = isinstance(term, Self)
    return {
        stack
        for stack, positions in places(tree, term).items()
        if (len(stack) - 1 in positions if leaf_only else positions)
    }


def weight(tree: Stacks, chosen: set[Stack]) -> int:
    return sum(tree[stack] for stack in chosen)


def without_ties(tree: Stacks) -> Stacks:
    """Make every sum of weights different, so that the widest path is one path only."""
    return {stack: (1 << 20) * value + (1 << at) for at, (stack, value) in enumerate(tree.items())}


@given(stacks, terms)
@settings(max_examples=250)
def test_a_path_weighs_the_samples_of_the_stacks_it_is_in(tree: Stacks, term: Term) -> None:
    tree = without_ties(tree)
    evaluation = evaluate(profile_of_stacks(tree), term)
    assert evaluation.weight == weight(tree, samples(tree, term))
    assert evaluation.whole == sum(tree.values())
    found = any(places(tree, term).values())
    assert (evaluation.missing is None) == found
    assert bool(evaluation.names) == found


@given(stacks, terms, terms)
@settings(max_examples=100)
def test_a_share_is_of_the_samples_in_both(tree: Stacks, part: Term, whole: Term) -> None:
    tree = without_ties(tree)
    path: Path = ShareOfPath(part, whole)
    evaluation = evaluate(profile_of_stacks(tree), path)
    in_part, in_whole = samples(tree, part), samples(tree, whole)
    assert evaluation.weight == weight(tree, in_part & in_whole)
    assert evaluation.whole == weight(tree, in_whole)
    if evaluation.share is not None:
        assert 0 <= evaluation.share <= 1
