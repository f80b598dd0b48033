"""The report on CPython 3.8 to 3.13: eight small benchmarks, as pyperf measures them.

    python -m recipes.cpython_releases --out data/results 3.8.18=PYTHON 3.9.18=PYTHON …

What is compared
    Builds of CPython that are installed on the machine, each given as RELEASE=PYTHON. The report
    has six of pyenv, `~/.pyenv/versions/3.8.18/bin/python` and so on, all built by one compiler
    with the same options: shared library, -O3, no profile-guided optimisation.

What is measured
    `benchmarks.py`: calls, attributes, floats, generators, exceptions, comprehensions, regular
    expressions, and the start of the interpreter. They use the standard library alone.

How
    - pyperf runs all benchmarks of a release, then those of the next; each of ten rounds begins
      with another release. Every benchmark has two processes a round, of three values each.
    - Valgrind counts the instructions of each benchmark once: those of a process that makes 20
      calls less those of one that makes 10, over 10. Virtual machines often have no counters for
      perf, and this needs none.
    - Profiles of `calls` and `attributes` come from runs of their own: six captures of three
      seconds, of the event `cycles`, or `cpu-clock` where the machine has no counters.
    - All of it is done by what anyone has: pyperf and valgrind write files, `perfpress import`
      makes bundles of them by `archive.toml`, `perfpress capture` records the profiles.

Needs Linux, with
    apt-get install linux-perf valgrind
    pyperf from PyPI, which the recipe installs into environments of its own below `--work`
    an hour. Nothing else should run; where something does, raise the priority of the session as
    well as that of the command, as root:
    setsid -w sh -c 'echo -20 > /proc/self/autogroup; exec nice -n -15 COMMAND'

Files that are in `--work` already are not measured again: after Ctrl-C, the same call goes on.
"""
