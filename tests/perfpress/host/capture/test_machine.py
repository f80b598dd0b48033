"""Facts of the machine and its tools, from the texts that the kernel and the tools give."""

from pathlib import Path

from fake_programs import Program
from perfpress.host.capture.machine import (
    cpu_model,
    is_virtual,
    machine_facts,
    memory_size,
    os_name,
    tool_versions,
)

CPUINFO = """\
processor\t: 0
vendor_id\t: AuthenticAMD
model name\t: AMD EPYC 7763 64-Core Processor
cpu MHz\t\t: 2445.404
flags\t\t: fpu vme de {hypervisor}lahf_lm

processor\t: 1
model name\t: something else
"""


def test_facts_come_from_the_first_cpu_and_hold_no_clock_rate() -> None:
    assert cpu_model(CPUINFO) == "AMD EPYC 7763 64-Core Processor"
    assert is_virtual(CPUINFO.format(hypervisor="hypervisor ")) is True
    assert is_virtual(CPUINFO.format(hypervisor="")) is False


def test_what_a_kernel_does_not_expose_is_left_out() -> None:
    assert cpu_model("processor : 0\nBogoMIPS : 50.00\n") is None
    assert is_virtual("") is None
    assert memory_size("") is None
    assert os_name("ID=debian\n") is None


def test_memory_is_in_units_of_1024() -> None:
    assert memory_size("MemTotal:       24684084 kB\nMemFree: 1 kB\n") == "23.5 GiB"


def test_the_distribution_loses_its_quotes() -> None:
    assert os_name('ID=debian\nPRETTY_NAME="Debian GNU/Linux 12"\n') == "Debian GNU/Linux 12"


def test_a_machine_without_these_files_still_has_facts(tmp_path: Path) -> None:
    facts = machine_facts(tmp_path)
    assert {"cpus", "kernel", "architecture"} <= facts.keys()
    assert facts.keys().isdisjoint({"cpu", "memory", "virtual", "os", "governor", "numa_nodes"})


def test_what_the_host_is_set_to_is_a_fact(tmp_path: Path) -> None:
    for name, text in {
        "devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
        "devices/system/cpu/smt/active": "0\n",
        "devices/system/node/node0/meminfo": "",
        "devices/system/node/node1/meminfo": "",
        "kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    }.items():
        file = tmp_path / "sys" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    facts = machine_facts(tmp_path)
    assert (facts["governor"], facts["hyperthreading"]) == ("performance", False)
    assert (facts["numa_nodes"], facts["huge_pages"]) == (2, "madvise")


def test_versions_are_the_first_line_without_the_name(program: Program) -> None:
    program("pgbench", "print('pgbench (PostgreSQL) 15.18\\nsecond line')")
    program("quiet", "")
    program("failing", "import sys; print('usage'); sys.exit(2)")
    versions = tool_versions(("pgbench", "quiet", "failing", "missing"))
    assert versions == {"pgbench": "(PostgreSQL) 15.18"}
