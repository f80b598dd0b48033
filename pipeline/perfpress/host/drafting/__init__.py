"""Drafts what a person completes, and finds the runs that nobody described."""
