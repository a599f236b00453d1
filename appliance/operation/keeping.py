"""A thread that writes the figures of the service down now and then, and once more at the end."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from appliance.core.errors import SiteUnusable
from appliance.core.settings import Settings
from appliance.operation.meter import Meter
from appliance.site.figures import keep_figures
from appliance.site.notes import Site

_LOG = logging.getLogger(__name__)


class Keeper:
    """Writes what a meter counted; `waiting` tells the longest queue since it was asked last."""

    def __init__(
        self, meter: Meter, site: Site, settings: Settings, waiting: Callable[[], int] = lambda: 0
    ) -> None:
        self._meter, self._site, self._settings, self._waiting = meter, site, settings, waiting
        self._ended = threading.Event()
        self._trouble = ""

    def start(self) -> None:
        """Write in a thread until `end`."""
        threading.Thread(target=self._run, name="figures", daemon=True).start()

    def end(self) -> None:
        """Write a last time."""
        self._ended.set()
        self.write()

    def write(self) -> bool:
        """Write what was counted; tell whether it is kept."""
        longest = self._waiting()
        if longest:
            self._meter.add("queue", longest)
        rows = self._meter.take()
        if not rows:
            return True
        try:
            keep_figures(self._site.path, self._settings.site, rows, self._settings.log.figures_hours)
        except SiteUnusable as error:
            self._meter.give_back(rows)
            if str(error) != self._trouble:  # once, not every few minutes
                _LOG.warning("%s", error)
            self._trouble = str(error)
            return False
        self._trouble = ""
        return True

    def _run(self) -> None:
        while not self._ended.wait(self._settings.log.figures_seconds):
            self.write()
