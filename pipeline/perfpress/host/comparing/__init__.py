"""Measures two checkouts of one program against each other."""
