"""Call trees of profiles, what they cost per operation, and how good they are."""
