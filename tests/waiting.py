"""Waiting in tests for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest


def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds; the limit is for a busy machine and only ends a test that has failed."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("it never came")
