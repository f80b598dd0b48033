"""Compares what two files or directories hold, for `perfpress compare`."""
