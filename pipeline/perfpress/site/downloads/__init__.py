"""Files that scripts and readers download: API, feeds, metrics, search index."""
