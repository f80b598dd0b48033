"""What runs measured: one tidy frame, and throughput, latency and cost of the host from it."""
