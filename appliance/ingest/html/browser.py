"""The one importer of Playwright: a headless Chromium that the builder starts."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INSTALLED_AS = ("chromium", "chromium-browser", "google-chrome")
MEND = (
    "install it with: pip install -e '.[web]' and playwright install chromium (or the system's own Chromium)"
)


class NoBrowser(Exception):
    """Playwright or Chromium is not installed, or does not start; the message says what to install."""


def browser_error() -> type[Exception]:
    """Return what Playwright raises."""
    from playwright.sync_api import Error  # noqa: PLC0415 - of the extra "web"

    return Error


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Yield a running Chromium: the system's own where it has one, else that of Playwright.

    Raises:
        NoBrowser: there is none.
    """
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - of the extra "web"
    except ImportError:
        message = f"it needs the package playwright: {MEND}"
        raise NoBrowser(message) from None
    own = next(filter(None, map(shutil.which, INSTALLED_AS)), None)
    with sync_playwright() as playwright:
        if own is None and not Path(playwright.chromium.executable_path).exists():
            message = f"it needs Chromium: {MEND}"
            raise NoBrowser(message)
        try:
            # Chromium refuses its sandbox to root (as in a container); there it runs without.
            running = playwright.chromium.launch(
                executable_path=own,
                args=list(flags),
                chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False,  # else an end asked for at the terminal may look like one of the browser
            )
        except Error:
            message = f"Chromium does not start here: {MEND}"
            raise NoBrowser(message) from None
        # An end that is asked for at the terminal ends the driver too, which complains of it for nobody.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        try:
            yield running
        finally:
            with suppress(Error):  # it has ended by itself
                running.close()
