"""Drilldowns as files, one module a format; `formats.FORMATS` has them all."""
