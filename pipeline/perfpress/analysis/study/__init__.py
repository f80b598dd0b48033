"""A report with everything that was measured for it."""
