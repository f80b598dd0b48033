"""From readings and profiles to what the pages say: numbers, never text ready to show.

Modules here need the `site` dependencies; nothing that runs on a lab host imports them.
"""
