"""The report on the binary log of three MariaDB releases.

    python -m recipes.mariadb_binlog --out data/results

What is compared
    MariaDB 10.2.11, 10.11.5 and 11.4.5, from Maven Central (`recipes/mariadb.py`, with
    checksums). The variants are the binary log: in the format `row`, in the format `mixed`, and
    off. All else is the same. Neither the binary log nor InnoDB's is synced at a commit, so that
    CPU time decides.

What is measured
    Three tests of sysbench, with one client, on one table of 200,000 rows that fits into memory:

    - `insert`: `oltp_insert`, one row
    - `update`: `oltp_update_index`, one row by its primary key, changing an indexed column
    - `select`: `oltp_point_select`, one row by its primary key, which no binary log has

How
    - A run is the three steps, five seconds each, on a server that was started on a fresh copy of
      its data, and warmed up.
    - In rounds: each has every release with every binary log once, and begins with another, so
      that what changes on the machine meanwhile meets all alike. Six rounds.
    - Client and server share one CPU: with one client they never work at the same time.
    - Profiles of `insert` and `update` come from runs of their own, one of each: six captures of
      three seconds, of the server alone, the event `cycles`, or `cpu-clock` where the machine has
      no counters.

Needs Debian 12 or the like, on x86-64, with
    apt-get install linux-perf sysbench procps util-linux
    as root (servers then run as `postgres` or `nobody`), or as another user who may sample
    (kernel.perf_event_paranoid). 2 GB in `--work` and 40 minutes; nothing else should run. Where
    something does, raise the priority of the session as well as that of the command, as root:
    setsid -w sh -c 'echo -20 > /proc/self/autogroup; exec nice -n -15 COMMAND'

Each run is one bundle, written below `--out` where `data/results` has it. Ctrl-C keeps the runs
that are finished; another call adds further repeats.
"""
