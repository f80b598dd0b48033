"""Whole benchmarks, from the download of what is tested to the bundles."""
