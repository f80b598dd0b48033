"""Findings in sentences, and sentences that a text may cite."""
