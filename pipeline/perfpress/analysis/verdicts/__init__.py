"""Whether a release is slower on a step, on what evidence, and since when."""
