"""The server of a generation, started for one question before it is committed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

from appliance.core import child
from appliance.core.settings import Settings
from appliance.launch import environment
from appliance.update.values import LIBRARY

REACH = 2.0  # seconds for a connection from loopback to loopback
LOOKS = 0.2
SAID = 200  # characters of what it said last
HAND_OVER = (
    "import os, runpy, sys, threading; os.dup2(int(sys.argv.pop(1)), 3); "
    "threading.Thread(target=lambda: os._exit(len(os.read(0, 1))), daemon=True).start(); "
    "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); "
    "runpy.run_module('appliance.cli', run_name='__main__', alter_sys=True)"
)
_OURS = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "APPLIANCE_HOME", "APPLIANCE_LIBRARY")


def silent(folder: Path, settings: Settings, memory: int, seconds: float) -> str:
    """Return why the server of a generation does not answer, "" where it does or cannot be asked here.

    `memory` is the address space that it may take, in bytes.
    """
    listener = _listener()
    if listener is None:
        return ""
    with closing(listener), tempfile.TemporaryDirectory(prefix="codes-trial-") as name:
        away = Path(name)
        (away / "served").symlink_to(folder.absolute(), target_is_directory=True)
        (away / "settings.toml").write_text(_written(settings, away), encoding="utf-8")
        served_with = {
            name: value for name, value in environment(folder, os.environ).items() if name not in _OURS
        }
        with child.started(
            [sys.executable, "-P", "-c", HAND_OVER, str(listener.fileno()),
             "serve", "--library", str(away / "served" / LIBRARY)],
            memory,
            env=served_with | {"APPLIANCE_SETTINGS": str(away / "settings.toml")},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=(listener.fileno(),),
        ) as process:  # fmt: skip
            assert process.stdin
            assert process.stdout
            with process.stdin:
                return _asked(process, listener.getsockname()[1], child.Tail(process.stdout), seconds)


def _asked(process: subprocess.Popen[bytes], port: int, said: child.Tail, seconds: float) -> str:
    """Ask for its health until it answers, ends, or the time is over."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end, why = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        if process.poll() is not None:
            words = child.last_line(said.last())[:SAID] or "it said nothing"
            return f"its server ended by itself with {process.returncode}: {words}"
        left = max(end - time.monotonic(), 1.0)
        try:
            with opener.open(f"http://127.0.0.1:{port}/healthz", timeout=min(left, 5.0)) as reply:
                found = json.loads(reply.read(4096))
        except (OSError, ValueError) as error:
            why = str(error) or type(error).__name__
        else:
            if isinstance(found, dict) and found.get("ok") is True:
                return ""
            why = "it says that it is not well"
        time.sleep(LOOKS)
    return f"its server did not say within {seconds:.0f} seconds that it is well ({why})"


def _listener() -> socket.socket | None:
    """Return a socket on a free port of loopback that can be reached from here, None where there is none."""
    try:
        listener = socket.create_server(("127.0.0.1", 0), backlog=8)
    except OSError:
        return None
    try:
        with socket.create_connection(listener.getsockname(), REACH):
            listener.accept()[0].close()
    except OSError:
        listener.close()
        return None
    return listener


def _written(settings: Settings, away: Path) -> str:
    """Return the settings as TOML: the models of the box, notes that go with the folder, little else."""
    models = settings.models
    sections: dict[str, dict[str, Any]] = {
        "models": {name: getattr(models, name) for name in ("embedder", "reranker", "threads")}
        | {"folder": str(models.folder)},
        "site": {"file": str(away / "notes"), "gaps": False},
        "serve": {"threads": 2},
    }
    lines = []
    for name, values in sections.items():
        # what JSON writes of texts, numbers and truth is TOML too
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())]
    return "\n".join([*lines, ""])
