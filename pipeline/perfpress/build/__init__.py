"""The stages of a build, and what they share: the cache, the progress shown, Hugo."""
