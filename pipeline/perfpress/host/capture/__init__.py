"""Runs a benchmark on a lab host, records what it did and writes the bundle.

Needs the base install only: a lab host has no pandas. Node is used where it is there, to fold
captures on the spot; without it they travel as `perf script` text.
"""
