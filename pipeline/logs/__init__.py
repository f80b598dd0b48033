"""Benchmark and host logs, one parser a file."""
