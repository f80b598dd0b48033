"""Corrections: read, and applied to the bundles that they touch."""
