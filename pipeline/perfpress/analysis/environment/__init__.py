"""What differs between two releases besides the release: machines, configuration, query plans."""
