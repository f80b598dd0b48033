"""Benchmark and host logs: how a format is recognised and read, and what a reading holds."""
