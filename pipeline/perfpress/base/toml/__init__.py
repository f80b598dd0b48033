"""TOML that people write: read into Structs; each problem has its line."""
