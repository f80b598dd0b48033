"""Says how the files of an archive are used, by what they hold and what their paths say."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from perfpress.host.drafting.pairing import COMPRESSED, is_diff, stem, subject
from perfpress.host.importing.map_file import UNKNOWN, FileRule
from perfpress.host.importing.path_parts import (
    DIGITS,
    OF_FOLDER,
    OF_REPEAT,
    Place,
    folder_of,
    pattern,
    pattern_of_path,
    pattern_of_repeats,
)
from perfpress.input.bundles.patterns import file_pattern

MANY = (
    "several logs of one step: say in the map what tells them apart, by {release}, {repeat} or "
    "{axis_…} in a match"
)
AS_REPEATS = '; if they are repeats, by match = "{}"'
NO_STEP = "its name does not say the step"
NO_ENDING = "its name has no ending that tells it from other files"
TOO_DEEP = (
    "deeper than <release>/<step>/<file>: say in the map what the parts of its path are, for "
    'example by match = "{}"'
)
LIKE_LOGS = "a capture that is called as logs are"
DIFF = "drawn of two releases; diffs are made anew"


class Content(NamedTuple):
    """What one file is."""

    format: str
    """Of a log or capture; empty where nothing recognizes it."""
    is_log: bool = False
    is_host_log: bool = False
    benchmarks: tuple[str, ...] = ()
    """What the log itself calls its benchmarks."""
    clients: int | None = None
    """The number of clients that the log states."""
    is_settings: bool = False

    @property
    def is_benchmark(self) -> bool:
        """Whether it is the log of a benchmark."""
        return self.is_log and not self.is_host_log


Homes = Mapping[tuple[str, str], Mapping[str, Content]]
"""The files of each release, by their paths inside its directory: by the directory, and what the
files are called as a release."""


def content_rules(found: Mapping[Place, Content]) -> Mapping[str, FileRule]:
    """Return how files are used, by their paths inside the directories of releases."""
    homes: dict[tuple[str, str], dict[str, Content]] = defaultdict(dict)
    for (home, inner, release), content in found.items():
        homes[home, release][inner] = content
    best: dict[str, Content] = {}
    for files in homes.values():
        for inner, content in files.items():
            # A log that breaks off in one release is one all the same, and said to break off.
            known = best.get(inner, Content(""))
            if inner not in best or _worth(content) > _worth(known):
                best[inner] = content
    same = {home: {inner: best[inner] for inner in files} for home, files in homes.items()}
    layout = _Layout(best, same)
    doubts = layout.doubts()
    of_logs = {pattern(_plain(each), layout.variants) for each in best if best[each].is_log}
    rules: dict[str, FileRule] = {}
    for inner, content in best.items():
        plain = _plain(inner)
        match = pattern(plain, layout.variants)
        if content.is_settings:
            rules[plain] = FileRule(match=layout.of_settings(inner), use="attachment")
        elif reason := doubts.get(inner) or ("" if content.format else UNKNOWN):
            rules[plain] = FileRule(match=plain, use="leave out", because=reason)
        elif layout.names_steps(inner):
            folder, _, last = plain.rpartition("/")
            match = f"{OF_FOLDER}{last}" if folder in layout.variants else plain
            rules[plain] = FileRule(match=match, use="log", because=content.format)
        elif content.is_log:
            rules[plain] = FileRule(match=match, use="log")
        elif match in of_logs:
            rules[plain] = FileRule(match=plain, use="leave out", because=LIKE_LOGS)
        else:
            rules[plain] = FileRule(match=match, use="capture")
    return rules | _joined(rules)


def _plain(inner: str) -> str:
    return COMPRESSED.sub("", inner)


def _worth(content: Content) -> tuple[bool, int]:
    return bool(content.format), len(content.benchmarks)


def _joined(rules: Mapping[str, FileRule]) -> dict[str, FileRule]:
    """Return one rule for all files that are left out for one reason, and differ in digits.

    An archive may have ten thousand of them. A rule never fits a file that is used.
    """
    alike: dict[tuple[str, str | None], list[str]] = defaultdict(list)
    for plain, rule in rules.items():
        if rule.use == "leave out":
            alike[DIGITS.sub("*", plain), rule.because].append(plain)
    joined: dict[str, FileRule] = {}
    for (match, because), names in alike.items():
        if len(names) < 2:
            continue
        try:
            fits = file_pattern(match).fullmatch
        except ValueError:  # digits beside a wildcard
            continue
        rule = FileRule(match=match, use="leave out", because=because)
        if all(each.because == because for plain, each in rules.items() if fits(plain)):
            joined |= dict.fromkeys(names, rule)
    return joined


class _Layout:
    """What the paths of an archive's files say together.

    Args:
        files: what they are, by their paths inside the directories of releases.
        homes: the same, by release.
    """

    def __init__(self, files: Mapping[str, Content], homes: Homes) -> None:
        self._files = files
        self._homes = homes
        self.variants = _folders_of_variants(files)
        self._of_same_benchmarks = self._with_same_benchmarks()

    def names_steps(self, inner: str) -> bool:
        """Return whether steps are called as the log calls them, not as its path does."""
        benchmarks = self._files[inner].benchmarks
        if inner in self._of_same_benchmarks:
            return False
        return len(benchmarks) > 1 or (len(benchmarks) == 1 and not self._says_step(inner))

    def of_settings(self, inner: str) -> str:
        """Return a pattern for settings: of a variant, of a step, or of the whole directory."""
        folder, _, last = inner.rpartition("/")
        if folder in self.variants:
            return f"{OF_FOLDER}{last}"
        return f"*/{last}" if folder and "/" not in folder else inner

    def doubts(self) -> Mapping[str, str]:
        """Return why some files are of no certain step."""
        doubts: dict[str, str] = {}
        too_deep = ""
        for (home, _), files in self._homes.items():
            by_step: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
            for inner, content in files.items():
                if not content.format:
                    continue
                if is_diff(inner):
                    doubts[inner] = DIFF
                elif "/" in folder_of(inner):
                    path = f"{home}/{inner}" if home else inner
                    too_deep = too_deep or TOO_DEEP.format(pattern_of_path(path))
                    doubts[inner] = too_deep
                elif self.names_steps(inner) or content.is_benchmark:
                    for step in self._steps(inner, content):
                        of_step = by_step[self._variant(inner), step]
                        of_step.setdefault(_plain(inner), []).append(inner)
                elif not self._says_step(inner):
                    doubts[inner] = NO_STEP
                if inner not in doubts and pattern(_plain(inner), self.variants) == "{step}":
                    doubts[inner] = NO_ENDING
            for names in by_step.values():
                doubts |= self._several(names)
        return doubts

    def _steps(self, inner: str, content: Content) -> Sequence[str]:
        """Return the steps of a log of a benchmark."""
        if self.names_steps(inner):
            return content.benchmarks
        folder = folder_of(inner)
        return [folder if folder and not self._variant(inner) else subject(inner) or stem(inner)]

    def _several(self, names: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
        """Return why the logs of one step are in doubt: there are several, of one release.

        A file and its packed copy are one.
        """
        if len(names) == 1:
            return {}
        match = pattern_of_repeats(list(names), self.variants)
        reason = MANY + (AS_REPEATS.format(match) if match else "")
        return dict.fromkeys((inner for own in names.values() for inner in own), reason)

    def _variant(self, inner: str) -> str:
        folder = folder_of(inner)
        return folder if folder in self.variants else ""

    def _says_step(self, inner: str) -> bool:
        """Return whether the path of a file says its step."""
        return bool(subject(inner)) or bool(folder_of(inner) and not self._variant(inner))

    def _with_same_benchmarks(self) -> frozenset[str]:
        """Return the logs of one release that name the same benchmarks, as YCSB's do.

        Steps are what their paths say, with the names of the benchmarks behind.
        """
        found: set[str] = set()
        for files in self._homes.values():
            logs = {inner: each for inner, each in files.items() if each.benchmarks}
            named = {
                (self._variant(inner), _plain(inner), name)
                for inner, each in logs.items()
                for name in each.benchmarks
            }
            counts = Counter((variant, name) for variant, _, name in named)
            found |= {
                inner
                for inner, each in logs.items()
                if self._says_step(inner)
                and any(counts[self._variant(inner), name] > 1 for name in each.benchmarks)
            }
        return frozenset(found)


def _folders_of_variants(files: Mapping[str, Content]) -> Collection[str]:
    """Return the folders below releases that hold several steps: they are no step, but a variant.

    `c1/ro.txt` and `c1/rw.txt` of a release are steps `ro` and `rw` of the variant `c1`. So are
    those called as repeats, as no two of them are merged unsaid.
    """
    steps: dict[str, set[str]] = defaultdict(set)
    naming: set[str] = set()
    for inner, content in files.items():
        folder = folder_of(inner)
        if not folder or not content.format or is_diff(inner):
            continue
        if len(content.benchmarks) > 1:
            naming.add(folder)
        elif (content.is_benchmark or not content.is_log) and subject(inner):
            steps[folder].add(subject(inner))
    several = {folder for folder, names in steps.items() if len(names) > 1}
    repeats = {folder for folder in map(folder_of, files) if OF_REPEAT.fullmatch(folder)}
    return frozenset(several | repeats | (naming if len(naming) > 1 else set()))
