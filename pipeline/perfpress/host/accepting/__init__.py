"""Moves what hosts pushed into the main branch, after the checks."""
