"""TOML that people write: read into Structs, what is wrong told with its line."""
