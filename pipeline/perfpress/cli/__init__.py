"""The verbs of the command line, one file each.

A verb's module has `add_arguments(parser)` and `run(arguments)`, which returns the exit status and
imports inside what is slow or not there on a lab host. `verbs.py` lists the verbs.
"""
