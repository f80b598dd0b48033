"""The example report: PostgreSQL 12, 14, 16 and 18, measured on one machine.

    python -m recipes.postgres_releases --out data/results

What is compared
    The newest minor releases of four major ones, as Maven Central offers them (`artifacts.py`, with
    checksums), all built by the same compiler. They differ in PostgreSQL alone: the settings
    (`postgresql.conf`), the tables, the client and the machine are the same.

What is measured
    One client of pgbench runs one statement over and over, prepared, through a Unix socket, on
    tables that fit into memory (pgbench's own with a million accounts, and one more):

    - `select`: one row by its primary key (pgbench's select-only), mostly the price of a statement
    - `range-scan`: a sum over 1000 neighbouring rows, mostly the executor, an index and a table
    - `insert`: ten rows in one statement, into a table with two indexes
    - `update`: one row by its primary key, one statement a transaction

How
    - A run is all steps of one release, each ten seconds. It starts a server on a fresh copy of the
      same data directory, with everything brought into memory, so that no run sees what an
      earlier one wrote.
    - Each release is run six times, in rounds: every round runs all releases, each round begins
      with another one. What changes on the machine meanwhile meets all releases alike. In one round
      all releases see the same random keys.
    - Client and server share one CPU. The two never work at the same time; on two CPUs each
      statement would wake an idle one twice, which costs a virtual machine more than the
      statement itself, and differs from one second to the next.
    - Profiles come from runs of their own, so that sampling does not slow what the rates are
      taken from: one a release, six captures of three seconds a step, of the one backend that does
      the work. The event is `cycles`, or `cpu-clock` where the machine has no counters. Stacks are
      unwound with DWARF: Debian's libc has no frame pointers, and with `fp` every stack that
      begins in a system call would end there. With 16 KiB of
      stack a sample one in a hundred stacks of `update` broke off, with 32 KiB none does.
    - The first capture of the last release's `select` stays `perf script` text; all others are
      folded where Node is installed.

Needs Debian 12 or the like, on x86-64, with
    apt-get install linux-perf postgresql-15 postgresql-client-15 procps util-linux
    as root (servers then run as `postgres` or `nobody`), or as another user who may sample
    (kernel.perf_event_paranoid). About 1 GB in `--work` and 30 minutes; nothing else should run.

Each run is one bundle, written below `--out` where `data/results` has it. Ctrl-C keeps the runs
that are finished; another call adds further repeats.
"""
