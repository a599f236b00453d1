"""What a vision model said of figures, in site.db: found by a key, the oldest make room."""

from __future__ import annotations

import logging
import time

from appliance.core.errors import SiteUnusable
from appliance.site.database import reading, sql, writing
from appliance.site.notes import Site

_LOG = logging.getLogger(__name__)
MOST = 5_000  # descriptions, each of about 500 bytes


def described(site: Site, key: str) -> str:
    """Return what is kept under a key, "" where nothing is."""
    try:
        with reading(site.path, site.limits) as connection:
            rows = connection.execute(sql("described"), {"key": key}).fetchall() if connection else []
    except SiteUnusable as error:
        _LOG.warning("a kept description cannot be read: %s", error)
        return ""
    return str(rows[0][0]) if rows else ""


def keep_described(site: Site, key: str, said: str) -> None:
    """Keep what was said under a key, in place of what was kept there."""
    try:
        with writing(site.path, site.limits) as connection:
            connection.execute(sql("keep described"), {"key": key, "at": time.time(), "said": said})
            connection.execute(sql("drop described"), {"most": MOST})
    except SiteUnusable as error:
        _LOG.warning("a description cannot be kept: %s", error)
