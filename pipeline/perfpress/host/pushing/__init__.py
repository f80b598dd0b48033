"""Carries bundles from lab hosts to the results: over git, or through an object store."""
