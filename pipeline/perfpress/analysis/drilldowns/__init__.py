"""Shares and costs of an author's frame paths, one row per release."""
