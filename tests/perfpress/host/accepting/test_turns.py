"""Bounded time is shared: within a number of calls that is known, every branch has its turn."""

import shutil
import time
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from hostile_trees import blob, branch, tree, with_results
from perfpress.__main__ import main
from perfpress.cli import accept as cli
from perfpress.host.accepting import accept, branches, changes, land
from perfpress.host.accepting.accept import Acceptance, prepare
from perfpress.host.accepting.arrivals import Arrival
from perfpress.host.accepting.branches import read_branches
from perfpress.host.accepting.changes import FEW_ENTRIES, Beyond, Bounds, Changes
from perfpress.host.accepting.judge import Judges
from perfpress.host.accepting.judging import CheckOutcome
from perfpress.host.accepting.land import LANDING, LATE, Landing
from perfpress.host.accepting.patience import PATIENT, QUICK, Patience
from perfpress.host.accepting.turns import in_turn, one_by_one
from perfpress.host.pushing.git import GitFailed, OverBudget
from perfpress.host.pushing.repository import FETCHED_AT_ONCE, Repository
from perfpress.host.pushing.store import Store
from perfpress.host.pushing.trees import TreeEntry, parse_tree
from repositories import accepted, branches_of, bundle, files_of, git, site_repository
from ruamel.yaml import YAML

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(("count", "most"), [(1, 5), (5, 5), (6, 5), (11, 5), (23, 4), (7, None)])
def test_each_is_looked_at_and_comes_first_within_so_many_turns(
    count: int, most: int | None
) -> None:
    items = list(range(count))
    parts = -(-count // most) if most else 1
    for begin in range(2 * count):
        turns = [in_turn(items, begin + each, most) for each in range(count + parts)]
        assert {item for turn in turns[:parts] for item in turn} == {*items}
        assert {turn[0] for turn in turns} == {*items}
        assert all(len(turn) <= (most or count) for turn in turns)
    assert in_turn([], 3, most) == []


def test_who_has_many_waits_for_who_has_one() -> None:
    assert [*one_by_one(["aaa", "b", "", "cc"])] == [*"abcaca"]


class SlowServer:
    """Takes so many seconds to send each commit; git refuses those of no seconds."""

    def __init__(self, seconds: dict[str, float], patience: Patience = PATIENT) -> None:
        self.seconds = seconds
        self.now = 0.0
        self.end = patience.reading
        self.fetched: set[str] = set()
        self.differences: dict[str, tuple[int, float]] = {}
        """Entries in which a commit differs, and seconds to compare it; 1 and none if not said."""

    def fetch_checked(self, commits: Iterable[str], seconds: float) -> None:
        asked = {*commits} - self.fetched
        if self.now >= self.end:
            raise OverBudget("error: too long")
        allowed = min(seconds, self.end - self.now)
        needed = sum(self.seconds[each] for each in asked) or 0.1
        if not all(self.seconds[each] for each in asked):
            self.now += 0.1
            raise GitFailed("error: unfit")
        self.now += min(allowed, needed)
        if needed > allowed:
            raise OverBudget("error: git took too long")
        self.fetched |= asked

    def fetch_each(
        self, commits: Iterable[str], seconds: float
    ) -> Iterator[tuple[str, GitFailed | None]]:
        """Fetch as many at once as the server takes, each as soon as another one is done."""
        free = [self.now] * FETCHED_AT_ONCE
        done: list[tuple[float, str, GitFailed | None]] = []
        for commit in commits:
            begun, self.now = self.now, heappop(free)
            failure = None
            try:
                self.fetch_checked([commit], seconds)
            except GitFailed as failed:
                failure = failed
            heappush(free, self.now)
            done.append((self.now, commit, failure))
            self.now = begun
        for at, commit, failure in sorted(done, key=lambda each: each[0]):
            self.now = max(self.now, at)
            yield commit, failure

    def seconds_left(self) -> float:
        return self.end - self.now


@pytest.fixture(autouse=True)
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let commits of a slow server differ as it says; return which were compared, in order."""
    asked: list[str] = []

    def changes_of(server: Any, commit: str, main: str | None, bounds: Bounds) -> Changes:
        if not isinstance(server, SlowServer):
            return changes.changes_of(server, commit, main, bounds)
        assert commit in server.fetched
        asked.append(commit)
        entries, seconds = server.differences.get(commit, (1, 0.0))
        # A test has a clock of its own.
        left = min(bounds.at - time.monotonic(), server.seconds_left())
        server.now += min(seconds, max(0.0, left))
        if entries > bounds.entries:
            raise Beyond("more changes")
        if seconds >= left:
            raise OverBudget("error: too many changes to compare in time")
        return Changes({}, [])

    monkeypatch.setattr(branches, "changes_of", changes_of)
    return asked


def fetched(server: SlowServer, turn: int, patience: Patience) -> set[str]:
    """Return which commits a call reads, after at most as long as it may wait."""
    commits = in_turn(sorted(server.seconds), turn, branches.MOST_COMMITS)
    read, failed = branches._read(server, commits, None, patience)  # type: ignore[arg-type]
    assert server.now <= patience.reading
    assert {*failed} | {*read} == {*server.seconds}
    assert {*read} == server.fetched, "time is not spent to fetch what is not looked at"
    return {*read}


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("hostile", [0.0, 1000.0])
def test_a_small_push_beside_one_that_stalls_is_fetched_by_every_quick_call(
    hostile: float, turn: int
) -> None:
    server = SlowServer({"evil": hostile, "honest": 2.0}, QUICK)
    assert "honest" in fetched(server, turn, QUICK)


def test_a_quick_call_ends_within_a_minute_and_a_patient_one_before_its_workflow() -> None:
    assert QUICK.longest < 60
    workflow = YAML(typ="safe").load(ROOT / ".github/workflows/publish.yml")
    installing = 120
    assert PATIENT.longest + installing < 60 * workflow["jobs"]["accept"]["timeout-minutes"]


@pytest.mark.parametrize("slow", [12.0, 90.0])
@pytest.mark.parametrize(
    "hostile", [[0.0], [0.0] * 30, [1000.0], [1000.0] * 30, [0.0, 1000.0] * 15]
)
def test_a_slow_honest_push_is_fetched_within_as_many_calls_as_there_are_branches(
    hostile: list[float], slow: float
) -> None:
    costs = {f"evil{number}": cost for number, cost in enumerate(hostile)} | {"honest": slow}
    for begin in (0, 17):
        for turn in range(begin, begin + len(costs)):
            if "honest" in fetched(SlowServer(costs), turn, PATIENT):
                break
        else:
            pytest.fail("never fetched")


def test_an_unfit_branch_costs_the_quick_ones_beside_it_nothing() -> None:
    costs = {"evil": 0.0} | {f"honest{number}": 1.0 for number in range(100)}
    server = SlowServer(costs)
    assert fetched(server, 0, PATIENT) == {*costs} - {"evil"}


def test_what_is_fetched_in_time_is_used_though_time_runs_out() -> None:
    costs = {f"evil{number:03}": 0.0 for number in range(100)}
    costs |= {f"honest{number}": 2.0 for number in range(100)}
    read = fetched(SlowServer(costs, QUICK), 60, QUICK)
    assert 50 < len(read) < 100


@pytest.mark.parametrize("turn", range(0, 190, 19))
def test_a_crowd_that_stalls_and_is_refused_delays_no_quick_call(turn: int) -> None:
    costs = {f"a{number:03}": 0.0 for number in range(150)} | {"honest": 2.0}
    costs |= {f"stalls{number}": 1000.0 for number in range(38)}
    assert "honest" in fetched(SlowServer(costs, QUICK), turn, QUICK)


def read(differences: dict[str, tuple[int, float]], stalling: float = 0.0) -> tuple[Any, Any]:
    """Read commits that differ in so many entries and take so many seconds to compare.

    Args:
        differences: by commit.
        stalling: seconds that all but the first take to be fetched, if they are not sent at once.
    """
    first = next(iter(differences))
    server: Any = SlowServer({each: stalling or 0.01 for each in differences} | {first: 0.01})
    server.differences = differences
    answer = branches._read(server, [*differences], None, PATIENT)
    assert server.now <= PATIENT.reading
    return answer


def test_who_pushed_much_is_compared_after_all_who_did_not(compared: list[str]) -> None:
    few, many = (10, 0.1), (FEW_ENTRIES + 1, 20.0)
    done, _ = read({"a": few, "b": many, "c": few})
    assert compared == ["a", "b", "c", "b"]
    assert {*done} == {"a", "b", "c"}


@pytest.mark.parametrize("stalling", [0.0, 1000.0])
def test_the_first_in_turn_is_compared_whole_whatever_the_others_cost(stalling: float) -> None:
    many = FEW_ENTRIES + 1, 90.0
    costs = {"honest": many} | {f"evil{number}": (1, 1000.0) for number in range(50)}
    done, failed = read(costs, stalling)
    assert {*done} == {"honest"}
    assert {*failed} == {*costs} - {"honest"}
    assert isinstance(failed["evil49"], OverBudget), "it was not looked at, and the failure says so"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    made = site_repository(tmp_path / "site.git")
    (tmp_path / "results").mkdir()
    return made


def test_branches_that_time_was_too_short_for_are_reported_and_not_to_be_removed(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0

    def too_slow(*_: object) -> None:
        raise OverBudget("error: git took more than 10 s")

    with monkeypatch.context() as patched:
        patched.setattr(Repository, "fetch_checked", too_slow)
        assert accepted(site, tmp_path) == 1
    err = capsys.readouterr().err
    assert "results/lab1: error: git took more than 10 s; call it again" in err
    assert "remove" not in err
    assert accepted(site, tmp_path) == 0


def test_of_too_many_branches_each_is_accepted_within_so_many_calls(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(branches, "MOST_COMMITS", 2)
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0
    for number in range(4):
        inner = tree(site, [(b"100644", b"run.toml", blob(site, b"%d" % number))])
        branch(site, f"results/evil{number}", with_results(site, inner, "r/1/e/undated-0"))
    capsys.readouterr()
    for turn in range(7, 10):
        monkeypatch.setenv("GITHUB_RUN_NUMBER", str(turn))
        accepted(site, tmp_path)
        assert "branches were not looked into" in capsys.readouterr().err
    assert any("/lab1/" in name for name in files_of(site, "main"))


def judged_first(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Judge one run at a time, and refuse it; return the list of hosts, in the order of judging."""
    order: list[str] = []

    def judge(_: Judges, arrival: Arrival, *_others: object) -> CheckOutcome:
        order.append(arrival.place[2])
        return CheckOutcome(None, "", [], [])

    monkeypatch.setattr(Judges, "judge", judge)
    monkeypatch.setattr(accept, "WORKERS", 1)
    return order


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_host_that_pushed_many_runs_holds_up_no_other(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    store, other = f"file://{tmp_path / 'store'}", f"file://{tmp_path / 'other'}"
    for number in range(3):
        made = bundle(tmp_path / f"many{number}", host="many", rate=number + 1)
        assert main(["push", str(made), "--to", store]) == 0
    assert main(["push", str(bundle(tmp_path / "b", host="one")), "--to", store]) == 0
    assert main(["push", str(bundle(tmp_path / "c", host="else")), "--to", other]) == 0
    order = judged_first(monkeypatch)
    monkeypatch.setenv("GITHUB_RUN_NUMBER", str(turn))
    accepted(site, tmp_path, store, other)
    assert {*order[:3]} == {"many", "one", "else"}
    assert order[3:] == ["many", "many"]


def test_what_time_is_too_short_to_judge_is_reported_and_judged_later(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0
    with monkeypatch.context() as patched:
        with_patience(patched, QUICK._replace(judging=-1), PATIENT._replace(judging=-1))
        assert accepted(site, tmp_path) == 1
    assert "not judged in time: 240 s for it, -1 s for all" in capsys.readouterr().err
    assert accepted(site, tmp_path) == 0
    assert branches_of(site) == ["main"]


def in_crowd(hostile: dict[str, tuple[int, float]], turn: int) -> list[str]:
    """Judge an honest run of 50 kB that takes 0.1 s beside hostile ones; return who was judged.

    Args:
        hostile: by host, their bytes and seconds.
        turn: which is the first.
    """
    costs = hostile | {"honest": (50_000, 0.1)}
    begun = time.monotonic()
    patience = QUICK._replace(judging=4, run=(0.3, 1, 3))
    made: Any = object.__new__(accept._Preparation)
    made.asked = Acceptance([], "", Path(), turn, patience)
    made.outcome, made.judges = accept.Accepted(), Judges()
    done = []

    def judged(arrival: Arrival, end: float) -> accept.JudgedRun:
        [host] = arrival.hosts
        needed, left = costs[host][1], end - time.monotonic()
        time.sleep(max(0, min(needed, left)))
        if needed > left:
            raise OverBudget("error: too long")
        done.append(host)
        return accept.JudgedRun("", False, CheckOutcome(None, "", [], []))

    made._copied_and_judged = judged
    arrivals = [
        Arrival(frozenset([host]), ("r", "1", host, "x"), host, None, size, lambda *_: None)
        for host, (size, _) in costs.items()
    ]
    groups = [accept.ArrivedRuns(None, "", [each]) for each in in_turn(arrivals, turn)]
    made._all_judged(made._in_order([*made._turns(groups)], 1))
    assert time.monotonic() - begun < patience.judging + patience.run[-1] + 3
    return done


@pytest.mark.parametrize("turn", [0, 30, 60])
def test_an_honest_run_in_a_crowd_is_judged_by_every_quick_call(turn: int) -> None:
    large = {f"large{number:02}": (10_000_000, 0.2) for number in range(100)}
    slow = {f"slow{number:02}": (1000, 1000.0) for number in range(20)}
    assert "honest" in in_crowd(large | slow, turn)


def test_a_run_that_takes_long_is_judged_after_all_that_do_not() -> None:
    done = in_crowd({"slow": (1000, 0.8)} | {f"a{number}": (1000, 0.1) for number in range(9)}, 0)
    assert done[-1] == "slow"
    assert len(done) == 11


def test_the_branch_that_was_just_pushed_comes_first(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        made = bundle(tmp_path / str(number), host=f"lab{number}", rate=number + 1)
        assert main(["push", str(made), "--to", str(site)]) == 0
    order = judged_first(monkeypatch)
    monkeypatch.setenv("GITHUB_RUN_NUMBER", "0")
    monkeypatch.setenv("GITHUB_REF_NAME", "results/lab3")
    accepted(site, tmp_path)
    assert order[:5] == ["lab3", "lab0", "lab1", "lab2", "lab4"]


def test_the_runs_of_a_branch_are_found_by_one_walk_through_its_trees(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    COUNT = 300
    inner = tree(site, [(b"100644", b"run.toml", blob(site, b"schema = 1\n"))])
    runs = tree(site, [(b"40000", b"undated-%08x" % at, inner) for at in range(COUNT)])
    branch(site, "results/lab1", with_results(site, runs, "r/1/lab1"))
    repository = Repository.beside(str(site), tmp_path / "beside")
    read: list[str] = []

    def listed(_: Repository, name: str) -> dict[bytes, TreeEntry]:
        read.append(name)
        return parse_tree(repository.objects.tree(name))

    monkeypatch.setattr(Repository, "listed", listed)
    with repository:
        [found], _ = read_branches(repository, 0, PATIENT)
    assert len(found.arrivals) == COUNT
    assert {arrival.tree for arrival in found.arrivals} == {inner}
    assert len(read) < COUNT + 20


def test_sources_are_read_at_the_same_time(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Barrier(2)

    def read_together(*asked: Any) -> Any:
        both.wait(timeout=30)
        return read_branches(*asked)

    hosts = tmp_path / "hosts.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    for at, host in ((site, "lab1"), (hosts, "lab2")):
        assert main(["push", str(bundle(tmp_path / host, host=host)), "--to", str(at)]) == 0
    monkeypatch.setattr(accept, "read_branches", read_together)
    assert accepted(site, tmp_path, str(site), str(hosts)) == 0


def with_patience(monkeypatch: pytest.MonkeyPatch, quick: Patience, patient: Patience) -> None:
    monkeypatch.setattr(cli, "QUICK", quick)
    monkeypatch.setattr(cli, "PATIENT", patient)


def hosts_on_main(site: Path) -> list[str]:
    return [name.split("/")[4] for name in files_of(site, "main") if name.endswith("run.toml")]


def stalled(site: Path) -> Path:
    """Return a file while which is there a server answers no more."""
    return site.parent / "stalled"


@pytest.fixture
def landed_first(site: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the hosts whose runs had landed before the patient call, which `stalled` ends for."""
    found: list[str] = []

    def prepared(asked: Acceptance, *others: Any) -> Landing:
        if asked.patience.is_last:
            found.extend(hosts_on_main(site))
            stalled(site).unlink(missing_ok=True)
        return prepare(asked, *others)

    monkeypatch.setattr(cli, "prepare", prepared)
    return found


QUICKER = QUICK._replace(reading=8, run=(8,))


def test_a_server_that_stalls_after_listing_its_branches_does_not_delay_other_sources(
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    landed_first: list[str],
) -> None:
    hosts = site_repository(tmp_path / "hosts.git")
    for at, host in ((site, "lab1"), (hosts, "lab2")):
        assert main(["push", str(bundle(tmp_path / host, host=host)), "--to", str(at)]) == 0
    asked = tmp_path / "asked"
    stalled(site).touch()
    (tmp_path / "ssh").write_text(
        f"#!/bin/sh\necho >>{asked}\n"
        f'[ ! -e {stalled(site)} ] || [ "$(wc -l <{asked})" = 1 ] || sleep 600\n'
        f"exec git-upload-pack {hosts}\n"
    )
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(tmp_path / "ssh"))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    with_patience(monkeypatch, QUICKER, PATIENT)
    assert accepted(site, tmp_path, "ssh://example.org/hosts.git", str(site)) == 0
    assert landed_first == ["lab1"]
    assert sorted(hosts_on_main(site)) == ["lab1", "lab2"], "the patient call reads the other"


@pytest.mark.parametrize("stalls", ["stored", "read"])
def test_a_store_that_stalls_does_not_delay_other_sources(
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    landed_first: list[str],
    stalls: str,
) -> None:
    store = f"file://{tmp_path / 'store'}"
    for at, host in ((str(site), "lab1"), (store, "lab2")):
        assert main(["push", str(bundle(tmp_path / host, host=host)), "--to", at]) == 0
    never = Event()
    monkeypatch.setattr(Store, stalls, lambda *_: never.wait())
    with_patience(monkeypatch, QUICKER, PATIENT._replace(reading=1, run=(1,)))
    assert accepted(site, tmp_path, store, str(site)) == 1
    never.set()
    assert landed_first == ["lab1"]
    out, err = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n")
    assert store in err
    assert "call it again; if it stays so" in err
    assert "warning" not in err


def test_a_run_that_takes_long_to_judge_does_not_delay_others(
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    landed_first: list[str],
) -> None:
    for host in ("lab1", "lab2"):
        assert main(["push", str(bundle(tmp_path / host, host=host)), "--to", str(site)]) == 0
    longest = []

    judge = Judges.judge

    def slowly(
        judges: Judges, arrival: Arrival, directory: Path, results: Path, seconds: float
    ) -> CheckOutcome:
        if "lab1" in arrival.hosts and seconds < 200:
            longest.append(seconds)
            raise OverBudget("error: checking it took too long")
        return judge(judges, arrival, directory, results, seconds)

    monkeypatch.setattr(Judges, "judge", slowly)
    assert accepted(site, tmp_path) == 0
    assert landed_first == ["lab2"]
    for seconds, allowed in zip(longest, QUICK.run, strict=False):
        assert 0 < seconds <= allowed
    assert len(longest) >= len(QUICK.run), "it is asked again with more time"
    assert sorted(hosts_on_main(site)) == ["lab1", "lab2"]
    assert capsys.readouterr().out.endswith("2 accepted, 0 there already\n")


def test_a_call_that_only_prepares_leaves_what_is_late_to_a_patient_one(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0
    kept = tmp_path / "kept"
    words = ["--into", str(site), "--results", str(tmp_path / "results"), "--prepare", str(kept)]
    with monkeypatch.context() as patched:
        with_patience(patched, QUICK._replace(judging=-1), PATIENT)
        assert main(["accept", *words]) == 0
    assert "warning: results/lab1:" in capsys.readouterr().err
    assert [path.name for path in kept.iterdir()] == [LATE]
    shutil.rmtree(kept)
    assert main(["accept", *words, "--patient"]) == 0
    assert (kept / LANDING).exists()
    assert not (kept / LATE).exists()


@pytest.mark.parametrize("bound", ["LONGEST_COMPARING", "LONGEST_OF_ALL"])
def test_a_branch_that_takes_too_long_to_compare_stays_and_is_reported_by_name(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, bound: str
) -> None:
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0
    with monkeypatch.context() as patched:
        patched.setattr(land, bound, -1)
        assert accepted(site, tmp_path) == 0
    err = capsys.readouterr().err
    assert "warning: results/lab1: not removed: " in err
    assert "git push --delete origin results/lab1" in err
    assert branches_of(site) == ["main", "results/lab1"]
    assert accepted(site, tmp_path) == 0
    assert branches_of(site) == ["main"]
    assert "not removed" not in capsys.readouterr().err
