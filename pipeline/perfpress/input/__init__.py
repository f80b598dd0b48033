"""What people and hosts write: bundles, logs, corrections and the report file."""
