"""Plain data turned into declared types, whichever threads ask for it.

msgspec keeps what it has found out about a type where other threads see it before it is whole: two that ask
for the same type for the first time end the process (msgspec 0.22: segmentation fault). So one at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

Made = TypeVar("Made")
_LOCK = threading.RLock()  # a hook may convert in turn


def convert(
    data: object, kind: type[Made], hook: Callable[[type, Any], Any] | None = None, *, strict: bool = True
) -> Made:
    """Return plain data as a type, by `hook` what msgspec does not know; raises msgspec.ValidationError."""
    with _LOCK:
        return msgspec.convert(data, kind, strict=strict, dec_hook=hook)


def decode(text: bytes | str, kind: type[Made]) -> Made:
    """Return JSON as a type; raises msgspec.DecodeError."""
    with _LOCK:
        return msgspec.json.decode(text, type=kind)
