"""Passwords, tokens and keys in text: rules, search, disguises, redaction."""
