"""The report on two hosts: one release of CPython on each, which are never compared.

    python -m recipes.two_hosts --out data/results 3.12.1=PYTHON 3.13.0=PYTHON

What is measured
    `sums.py`: two processes that sum numbers, at once. The first release has one CPU of the machine
    (`taskset`), and the host is called after `--host`, with `-1cpu`; the second has two, `-2cpu`.

How
    Three runs of each in turns, of five repeats each, timed by `perfpress capture` itself.

Needs Linux with two CPUs and util-linux, and a minute.
"""
