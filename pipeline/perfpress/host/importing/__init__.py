"""Archives of results as they are, made into bundles: names are read, files copied, nothing run."""
