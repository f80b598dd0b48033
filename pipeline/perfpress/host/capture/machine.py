"""Collects facts of the machine and versions of tools for `run.toml`.

Only facts that stay the same between two runs on the same machine: the clock rate of the moment,
free memory or the uptime would make every pair of runs look like two environments.
"""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

CPU = Path("sys/devices/system/cpu")

MachineFact = str | int | bool


def machine_facts(root: Path = Path("/")) -> dict[str, MachineFact]:
    """Return the facts of this machine; those that cannot be read are left out.

    `root` holds `proc`, `sys` and `etc`.
    """
    cpuinfo = _read(root / "proc/cpuinfo")
    facts: dict[str, MachineFact | None] = {
        "cpus": os.cpu_count(),
        "cpu": cpu_model(cpuinfo),
        "memory": memory_size(_read(root / "proc/meminfo")),
        "virtual": is_virtual(cpuinfo),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "governor": _read(root / CPU / "cpu0/cpufreq/scaling_governor").strip() or None,
        "hyperthreading": {"0": False, "1": True}.get(_read(root / CPU / "smt/active").strip()),
        "numa_nodes": len(list((root / "sys/devices/system/node").glob("node[0-9]*"))) or None,
        "huge_pages": chosen(_read(root / "sys/kernel/mm/transparent_hugepage/enabled")),
        "os": os_name(_read(root / "etc/os-release")),
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def cpu_model(cpuinfo: str) -> str | None:
    """Return the model of the first CPU in `/proc/cpuinfo`, `None` where it is not there.

    `model name      : AMD EPYC 7763 64-Core Processor`
    """
    return _value_of("model name", cpuinfo)


def is_virtual(cpuinfo: str) -> bool | None:
    """Return whether the CPUs say that a hypervisor runs them; `None` where they list no flags."""
    flags = _value_of("flags", cpuinfo)
    return None if flags is None else "hypervisor" in flags.split()


def memory_size(meminfo: str) -> str | None:
    """Return the memory of `/proc/meminfo` in GiB, `None` where it is not there.

    `MemTotal:       24684084 kB` is 23.5 GiB: the kernel's kB are 1024 bytes.
    """
    total = _value_of("MemTotal", meminfo)
    return None if total is None else f"{int(total.split()[0]) / 1024**2:.1f} GiB"


def chosen(setting: str) -> str | None:
    """Return the active one of the kernel's choices: `always [madvise] never` is madvise."""
    found = re.search(r"\[(\w+)\]", setting)
    return found[1] if found else None


def os_name(os_release: str) -> str | None:
    """Return the distribution from `/etc/os-release`: `PRETTY_NAME="Debian GNU/Linux 12"`."""
    for line in os_release.splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return None


def _value_of(key: str, text: str) -> str | None:
    """Return the value of the first line `key : value`."""
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip() == key:
            return value.strip()
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


ANSWER_SECONDS = 10
"""Longer than any tool needs to print its version; one that starts to work instead is stopped."""


def tool_versions(commands: Iterable[str]) -> dict[str, str]:
    """Return what each command answers to `--version`, by its name.

    Commands that are not installed, or that answer nothing, are left out.
    """
    found = {command: tool_version(command) for command in commands}
    return {command: version for command, version in found.items() if version is not None}


def tool_version(command: str) -> str | None:
    """Return the first line that `command --version` prints, without the command's own name.

    `perf version 6.1.187` and `pgbench (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` become
    `version 6.1.187` and `(PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
    """
    if shutil.which(command) is None:
        return None
    try:
        answer = subprocess.run(
            [command, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    if answer.returncode != 0 or not lines:
        return None
    return lines[0].removeprefix(f"{command} ").strip() or None
