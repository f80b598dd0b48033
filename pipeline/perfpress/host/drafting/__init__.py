"""Drafts what a person completes."""
