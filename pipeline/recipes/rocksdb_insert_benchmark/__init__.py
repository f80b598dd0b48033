"""The report on the Insert Benchmark: its steps on three releases of RocksDB.

    python -m recipes.rocksdb_insert_benchmark --out data/results

What is compared
    RocksDB 6.28.2, 8.11.4 and 10.10.1, from Maven Central (`recipes/rocksdb.py`, with checksums),
    with the same options: those whose defaults have changed between them are set.

What is measured
    `insert_benchmark.c`, a program of this recipe, writes and reads the keys that MyRocks would: a
    row by its id, and an entry in each of three secondary indexes. The steps, in this order:

    - `l.i0`: 300,000 rows in the order of their ids, without secondary indexes
    - `l.x`: the three secondary indexes
    - `l.i1`: 250,000 rows inserted at the head of the table and as many deleted from its tail, in
      transactions of 50, with all index entries
    - `q100`, `q500`, `q1000`: reads of ten neighbouring index entries, as fast as one thread can,
      while another inserts and deletes 100, 500 or 1000 rows a second

How
    - A run is all steps on a new database; each step is a process of its own. The steps with
      queries begin on a database that is flushed and has nothing left to compact.
    - In rounds: each has every release once, and begins with another. Five rounds.
    - All threads share one CPU, those for flushes and compactions too: what these need is missing
      elsewhere, as on a server without idle CPUs.
    - Profiles come from a run of their own for each release: captures of 1.5 seconds of `l.i1` and
      the steps with queries, the event `cycles`, or `cpu-clock` where the machine has no counters.

Needs Linux on x86-64, with
    apt-get install linux-perf gcc libc6-dev procps util-linux
    1 GB in `--work` and 20 minutes; nothing else should run. Where something does, raise
    the priority of the session as well as that of the command, as root:
    setsid -w sh -c 'echo -20 > /proc/self/autogroup; exec nice -n -15 COMMAND'

Each run is one bundle, written below `--out` where `data/results` has it. Ctrl-C keeps the runs
that are finished; another call adds further repeats.
"""
