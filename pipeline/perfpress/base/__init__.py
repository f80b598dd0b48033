"""What every layer may use and what uses none: cache, console, problems, units, slugs, secrets."""
