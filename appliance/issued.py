"""The day on which a library is issued, as it says itself whatever becomes of its file.

Rules of this module: a day, no more, so that what is built twice on one day is the same; with
SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch) the day of that moment, so that it is the
same on any day. UTC.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from appliance.errors import BadInput

VARIABLE = "SOURCE_DATE_EPOCH"
LATEST = 253_402_300_799  # the last second of the year 9999


def issue_day(environment: Mapping[str, str] | None = None) -> str:
    """Return the day as ISO 8601 writes it; raises BadInput where the variable is no number of seconds."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if given and not (given.isascii() and given.isdigit() and int(given) <= LATEST):
        message = f"{VARIABLE} must be a number of seconds since 1970, not {given[:40]!r}: mend or unset it."
        raise BadInput(message)
    return time.strftime("%Y-%m-%d", time.gmtime(int(given) if given else time.time()))
