"""Paths: how a table, a link or an author names a part of a profile."""
