"""Bundles: what a lab host pushes, one directory a run, never changed once accepted."""
