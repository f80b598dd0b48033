"""The shortcodes of a report's text: what each is called with, finds and shows."""
