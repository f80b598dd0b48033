"""A page that only leads to another, for addresses that need none of their own."""

from html import escape


def redirect_page(title: str, url: str) -> str:
    """Return a page that opens another, at once and without a script.

    Args:
        title: the name of the link to it.
        url: from the root of the host.
    """
    to, name = escape(url), escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{name}</title>\n'
        f'<meta http-equiv="refresh" content="0; url={to}">\n<a href="{to}">{name}</a>\n</html>\n'
    )
