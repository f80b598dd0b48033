"""Old bundles in an object store, with their manifests kept among the results."""
