"""Tables of pages."""
