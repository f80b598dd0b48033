"""The report on `innodb_flush_log_at_trx_commit`: what commits wait for, on two MariaDB releases.

    python -m recipes.mariadb_log_flush --out data/results

What is compared
    Three settings of one server option: what a commit does with its log record. 0 leaves it in
    memory, and a thread writes the log once a second; 2 writes it to the file; 1, the default,
    also waits until it is on the disk. All else is the same. The variants are MariaDB 10.2.11 and
    11.4.5, from Maven Central (`recipes/mariadb.py`, with checksums).

What is measured
    sysbench's `oltp_write_only` with 16 clients, each without pause, on one table of a million rows
    that fits into memory.

How
    - In rounds: each starts a server of each release on a fresh copy of its data, warms it up, and
      runs the three settings, each round beginning with another. A setting is one run of its own.
    - `performance_schema` is on in all of them, with its instruments for input and output, locks
      and conditions; those for mutexes are off, because they cost most.
    - Profiles come from runs of their own. Sums of waits are taken before and after windows of two
      seconds. In the step `single waits` the ring buffer of single waits is emptied, and read half
      a second later, before it is full. perf samples the CPU (`cpu-clock` where the machine has no
      counters).
    - An off-CPU profile is made from the kernel's context switches: perf takes the stack each time
      that a thread of the server leaves the CPU, and the time until it is back
      (`recipes/off_cpu.py`), for a fifth of a second each. Waits that began or ended
      outside the window are missing.

Needs Debian 12 or the like, on x86-64, with
    apt-get install linux-perf sysbench procps util-linux
    as root: context switches are traced. Their off-CPU profiles need tracefs, which not every
    machine mounts at boot: mount -t tracefs tracefs /sys/kernel/tracing
    2 GB in `--work` and 15 minutes; nothing else should run.

Each run is one bundle, written below `--out` where `data/results` has it. Ctrl-C keeps the runs
that are finished; another call adds further repeats.
"""
