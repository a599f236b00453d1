"""Ratios, targets and the tables of a benchmark; no figure here is a timing."""

from __future__ import annotations

import platform
from dataclasses import replace
from datetime import date

import pytest

from appliance.evaluation.bench.rounds import (
    BenchReport,
    Machine,
    Measure,
    bench_json,
    bench_markdown,
    number,
    this_machine,
)

MACHINE = Machine("A <fast> & small one", 2, 8.0, "Linux x86_64", "3.11", 0.0)


def higher(ours: float, peer: float | None = None, target: float | None = None) -> Measure:
    return Measure("build", "read [pages]", ours, "pages/s", "higher", peer, "peer", target)


def lower(ours: float, peer: float | None = None, target: float | None = None) -> Measure:
    return Measure("search", "p50", ours, "ms", "lower", peer, "peer", target)


@pytest.mark.parametrize(
    ("measure", "ratio", "met"),
    [
        (higher(10, 2, 5), 5, True),
        (higher(1, 2, 5), 0.5, False),
        (lower(10, 40, 10), 4, True),
        (lower(50, 40, 10), 0.8, False),
        (lower(50), None, None),
        (higher(0, 5, 1), None, False),
        (higher(5, 0), None, None),
    ],
)
def test_ratios_are_times_better_and_targets_have_a_side(
    measure: Measure, ratio: float | None, met: bool | None
) -> None:
    assert measure.ratio == ratio
    assert measure.met is met


def test_the_table_of_the_document_has_peers_together() -> None:
    measures = (
        replace(lower(4, 12, 8), peer_name="FTS5"),
        replace(lower(4, 2), peer_name="tanti|vy"),
        higher(3),
    )
    assert bench_json(BenchReport(MACHINE, measures))["measures"][0]["ratio"] == 3
    text = bench_markdown(BenchReport(MACHINE, measures, ("a remark",)), date(2026, 11, 2))
    lines = text.splitlines()
    assert lines[0].startswith("Measured on 2 November 2026: A <fast> & small one, 2 cores")
    assert lines[4:6] == [
        "| search | p50 | 4.00 ms | 12.0 ms (FTS5); 2.00 ms (tanti/vy) | 3.00; 0.50 | ≤ 8 ms met |",
        "| build | read [pages] | 3.00 pages/s | – | – | – |",
    ]
    assert lines[-1] == "- a remark"
    assert bench_markdown(BenchReport(MACHINE, ()), date(2026, 1, 1)).count("\n") == 4


@pytest.mark.parametrize(
    ("value", "text"), [(0.123, "0.12"), (9.994, "9.99"), (12.34, "12.3"), (1234.5, "1234")]
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_this_machine_is_named_without_its_host_name() -> None:
    machine = this_machine()
    assert machine.processor
    assert machine.cores >= 1
    assert platform.node() not in str(machine).split()
