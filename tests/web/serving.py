"""A server of the page in a thread of the tests, ended with all that it holds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from waitress.wasyncore import close_all

from appliance.web.connection_limits import Server
from appliance.web.serve import port_of


@contextmanager
def serving(server: Server) -> Iterator[int]:
    """Run the server; yield the port that it answers on."""
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield port_of(server)
    finally:
        try:
            server.trigger.pull_trigger(lambda: close_all(server._map))
        except OSError:  # what wakes it was closed under it, by what is not known
            close_all(server._map)
        thread.join(10)
        server.task_dispatcher.shutdown()
