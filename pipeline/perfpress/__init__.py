"""Perfpress: raw benchmark results in, a published report out."""
