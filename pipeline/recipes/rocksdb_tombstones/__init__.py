"""The report on a throughput that decays: iterators that scan past tombstones in RocksDB.

    python -m recipes.rocksdb_tombstones --out data/results

What is compared
    Two ways to look up one key with an iterator, in the same RocksDB 10.10.1: with an iterator
    that may go on to the end of the database (`unbounded`), and with one that ends behind the key
    that it looks for (`bounded`, by `iterate_upper_bound`). RocksDB comes from Maven Central
    (`recipes/rocksdb.py`, with a checksum).

What is measured
    `block_writer.c`, a program of this recipe after CockroachDB's of that name. One worker
    writes random rows, each in a transaction: it looks for the transaction's record, which is not
    there, writes it, writes a row, and deletes the record. All of that stays in one memtable of a
    gigabyte, until 3.1 million operations fill it. Only `bounded` gets there, on a machine that
    does 52,000 a second; the flush shares its CPU, and the rate falls by half at once.

How
    - Three runs of each, of a minute, in turns. Throughput is printed once a second.
    - Profiles come from a run of their own each: six captures of three seconds, spread over it,
      the event `cycles`, or `cpu-clock` where the machine has no counters. So does off-CPU time
      (`recipes/off_cpu.py`), four captures of ten seconds; that needs root, and tracefs.
    - One operation in the last second of each run is timed step by step: the trace.

Needs Linux on x86-64, with
    apt-get install linux-perf gcc libc6-dev procps util-linux
    1 GB in `--work` and 10 minutes; nothing else should run. Where something does, raise
    the priority of the session as well as that of the command, as root, on one CPU:
    setsid -w sh -c 'echo -20 > /proc/self/autogroup; exec nice -n -15 taskset -c 1 COMMAND'

Each run is one bundle, written below `--out` where `data/results` has it. Ctrl-C keeps the runs
that are finished; another call adds further repeats.
"""
