"""Addresses of pages: one form for each, what lies inside a site, and the name of the file that is kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from string import punctuation
from urllib.parse import quote, unquote, urldefrag, urlsplit, urlunsplit

from appliance.core.errors import BadInput

NAME = 100  # characters of a file's name
USUAL_PORT = {"http": 80, "https": 443}


def plain(address: str) -> str:
    """Return the one form of an address; a fragment stays only where a script reads it as a path ("#/").

    Raises:
        BadInput: it is no address of a web page.
    """
    whole, fragment = urldefrag(address.strip())
    try:
        parts = urlsplit(whole)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in USUAL_PORT or not host:
        message = f"{address[:200]} is no address of a web page. Write it whole, as https://site/codes/."
        raise BadInput(message)
    host = f"[{host}]" if ":" in host else host
    host = host if port in {None, USUAL_PORT[parts.scheme]} else f"{host}:{port}"
    routed = fragment if fragment.startswith(("/", "!")) else ""
    path, query = (quote(part, safe=punctuation) for part in (parts.path or "/", parts.query))
    return urlunsplit((parts.scheme, host, path, query, routed))


def is_inside(address: str, start: str) -> bool:
    """Tell whether an address lies on the site of the first one, in its folder or below."""
    here, first = urlsplit(address), urlsplit(start)
    folder = first.path[: first.path.rindex("/") + 1]
    return here[:2] == first[:2] and (here.path.startswith(folder) or f"{here.path}/" == folder)


def file_name(address: str, suffix: str, taken: Container[str]) -> str:
    """Return the name of the file for an address: its path in words; with a hash where that is taken."""
    parts = urlsplit(address)
    words = unquote("/".join(filter(None, (parts.path, parts.query, parts.fragment))))
    stem = re.sub(r"\.(?:html?|pdf|aspx?|php)$", "", words.strip("/"), flags=re.IGNORECASE)
    stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:NAME] or "index"
    name = f"{stem}{suffix}"
    if name in taken:
        name = f"{stem}-{hashlib.sha256(address.encode()).hexdigest()[:8]}{suffix}"
    return name
