"""Shapes of the data that templates and scripts read."""
