"""A service that may not ask the kernel for its interfaces still serves whoever came by loopback."""

from __future__ import annotations

import errno
from typing import Never

import psutil
import pytest

from appliance.web import lan


def refused() -> Never:
    """What getifaddrs comes to under RestrictAddressFamilies without AF_NETLINK."""
    raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")


def test_interfaces_that_may_not_be_asked_for_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "net_if_addrs", refused)
    assert lan.own_addresses() == ()
    assert lan.addresses(8080) == ("http://127.0.0.1:8080/",)
