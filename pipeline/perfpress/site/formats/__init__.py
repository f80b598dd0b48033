"""Drilldowns and call trees as text, Markdown, CSV and JSON."""
