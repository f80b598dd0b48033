"""What the author of a report decided, completed with defaults."""
