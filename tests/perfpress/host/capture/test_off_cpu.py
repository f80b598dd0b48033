"""Off-CPU time from context switches, as perf prints them."""

import pytest
from perfpress.base.problems import BadInput
from recipes.off_cpu import waits, written

SWITCHES = """\
mysqld  9400 [000] 12489.558511: PERF_RECORD_SWITCH IN         
mysqld  9400 [000] 12489.558558: sched:sched_switch: prev_comm=mysqld prev_pid=9400 prev_state=S
\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])
\t          776e60 log_write_up_to+0x920 (/srv/bin/mysqld)

mysqld  9400 [000] 12489.558610: PERF_RECORD_SWITCH OUT preempt
IO 2 bg  9401 [001] 12489.558620: sched:sched_switch: prev_comm=IO 2 bg prev_pid=9401 prev_state=D
\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])

mysqld  9402 [001] 12489.558630: PERF_RECORD_SWITCH IN
IO 2 bg  9401 [001] 12489.558650: PERF_RECORD_SWITCH IN
mysqld  9400 [001] 12489.559558: PERF_RECORD_SWITCH IN
mysqld  9400 [001] 12489.559600: sched:sched_switch: prev_comm=mysqld prev_pid=9400 prev_state=S
\t          776e60 never_back+0x920 (/srv/bin/mysqld)
"""


def test_a_wait_lasts_until_its_thread_is_back_whatever_others_do() -> None:
    found = list(waits(SWITCHES.splitlines()))
    assert found == [
        "IO 2 bg 9401 [000] 12489.558620: 30000 off-cpu:\n"
        "\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])\n\n",
        "mysqld 9400 [000] 12489.558558: 1000000 off-cpu:\n"
        "\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])\n"
        "\t          776e60 log_write_up_to+0x920 (/srv/bin/mysqld)\n\n",
    ]


def test_a_thread_that_was_not_seen_to_leave_or_to_return_has_no_wait() -> None:
    left = [line for line in SWITCHES.splitlines() if "SWITCH IN" not in line]
    assert list(waits(left)) == []


def test_the_time_of_a_machine_that_started_lately_is_padded() -> None:
    lately = SWITCHES.replace(" 12489.", "   489.")
    durations = [each.partition("off-cpu")[0].split()[-1] for each in waits(lately.splitlines())]
    assert durations == ["30000", "1000000"]


def test_a_program_that_never_waited_is_said_to_have_no_waits() -> None:
    assert written(SWITCHES, 10).count("off-cpu:") == 2
    with pytest.raises(BadInput) as raised:
        written("", 10)
    assert str(raised.value).startswith(
        "off-CPU time: no thread of the program left a CPU and came back within 10 s"
    )
