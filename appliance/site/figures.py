"""Figures of the service in site.db: one row for each hour of service and name, the oldest make room."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from appliance.core.settings import SiteSettings
from appliance.site.database import reading, sql, writing

BUCKETS = 36  # of times: up to 2^(n/2) ms, the last for all above 185 s


@dataclass(frozen=True, slots=True)
class Figure:
    """What happened in one hour of service of one run (`boot`); `at` is when it was written, if right."""

    boot: str
    hour: int
    name: str
    at: float
    count: int
    most: float
    buckets: tuple[int, ...]


def keep_figures(path: Path, limits: SiteSettings, rows: Sequence[Figure], hours: int) -> None:
    """Write rows in place of those of the same hour; raises SiteUnusable."""
    with writing(path, limits) as connection:
        connection.executemany(
            sql("keep figure"),
            (
                (row.boot, row.hour, row.name, row.at, row.count, row.most, json.dumps(row.buckets))
                for row in rows
            ),
        )
        connection.execute(sql("drop figures"), {"hours": hours})


def figures(path: Path, limits: SiteSettings) -> tuple[Figure, ...]:
    """Return all rows, oldest first; raises SiteUnusable."""
    with reading(path, limits) as connection:
        rows = cast("list[Any]", connection.execute(sql("figures")).fetchall() if connection else [])
        return tuple(
            Figure(boot, hour, name, at, count, most, tuple(json.loads(buckets)))
            for boot, hour, name, at, count, most, buckets in rows
        )
