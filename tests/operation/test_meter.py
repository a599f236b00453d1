"""Figures of the service: counted without a clock, kept bounded, drawn without a script."""

from __future__ import annotations

import re
import time
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree as ET

import pytest

from appliance.core.evidence import Evidence, Failed, NotFound, Query
from appliance.core.settings import LogSettings, Settings, SiteSettings
from appliance.operation.history import Series, bars, history, lines, nice, together
from appliance.operation.meter import Keeper, Meter, bucket_of, quantile
from appliance.site.figures import BUCKETS, Figure, figures, keep_figures
from appliance.site.gaps_and_feedback import Site

LIMITS = SiteSettings(free_mib=1)
SETTINGS = Settings(site=LIMITS)


def not_found() -> NotFound:
    timings = MappingProxyType({"lexical": 3.0, "dense": 21.0})
    evidence = Evidence(Query("how loud?", "general", ()), (), (), (), (), 0.1, timings)
    return NotFound("how loud?", evidence, ("DC-1",), ())


def figure(hour: int, name: str, count: int = 1, *, boot: str = "b", at: float = 1.8e9) -> Figure:
    return Figure(boot, hour, name, at, count, 5.0, (0, count, *([0] * (BUCKETS - 2))))


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose only value is the monotonic clock, in hours."""
    now = [0.0]
    monkeypatch.setattr("appliance.operation.meter.time.monotonic", lambda: 3600 * now[0])
    return now


def test_what_is_counted_names_neither_question_nor_asker() -> None:
    meter = Meter()
    meter.answered(not_found(), 40.0)
    meter.answered(Failed("how loud?", "the model took too long"), 60.0)
    rows = meter.take()
    assert [(row.name, row.count) for row in rows] == [
        ("failed", 1), ("not found", 1), ("time dense", 1), ("time lexical", 1), ("time whole answer", 2),
    ]  # fmt: skip
    assert "loud" not in repr(rows)


def test_a_row_is_written_again_only_when_it_has_changed(hours: list[float]) -> None:
    meter = Meter()
    meter.add("requests")
    assert [row.count for row in meter.take()] == [1]
    assert meter.take() == ()
    meter.add("requests")
    hours[0] = 1.5
    meter.add("requests")
    assert [(row.hour, row.count) for row in meter.take()] == [(0, 2), (1, 1)]
    assert [row.hour for row in meter.now()] == [1], "an hour that is over is forgotten"


def test_a_clock_that_is_set_moves_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    for wrong in (0.0, 4e9, -5.0):
        monkeypatch.setattr(time, "time", lambda wrong=wrong: wrong)
        meter.add("requests")
        (row,) = meter.take()
        assert row.hour == 0
    assert row.count == 3


def test_rows_are_bounded_by_hours_of_service_whatever_the_clock_says(tmp_path: Path) -> None:
    path = tmp_path / "codes.db.site"
    for number in range(20):
        rows = (figure(number, "requests", at=-number * 1e9), figure(number, "time answer"))
        keep_figures(path, LIMITS, rows, 5)
    assert [(row.hour, row.name) for row in figures(path, LIMITS)][::2] == [
        (hour, "requests") for hour in range(15, 20)
    ]
    keep_figures(path, LIMITS, (figure(19, "requests", 9),), 5)
    kept = [row for row in figures(path, LIMITS) if (row.hour, row.name) == (19, "requests")]
    assert [row.count for row in kept] == [9], "one row for an hour and a name"


def test_what_cannot_be_written_is_written_later(tmp_path: Path) -> None:
    path = tmp_path / "codes.db.site"
    path.mkdir()
    meter = Meter()
    keeper = Keeper(meter, Site(path, LIMITS), SETTINGS, lambda: 7)
    meter.add("requests")
    assert not keeper.write()
    path.rmdir()
    assert keeper.write()
    kept = {row.name: row for row in figures(path, LIMITS)}
    assert kept["requests"].count == 1
    assert kept["queue"].most == 7


def test_notes_of_an_older_program_are_read_and_brought_up_to_date(tmp_path: Path) -> None:
    import apsw

    from appliance.site import database

    site = Site(tmp_path / "codes.db.site", LIMITS)
    assert site.keep_gap(not_found(), "v1")
    connection = apsw.Connection(str(site.path))
    for column in ("kept", "note", "noted"):
        connection.execute(f"ALTER TABLE answers DROP COLUMN {column}")
    connection.execute(
        "DROP TABLE described; DROP TABLE figures; DELETE FROM migrations WHERE step > 2; "
        "PRAGMA user_version = 2"
    )
    connection.close()
    assert [row.about.question for row in site.rows("gaps")] == ["how loud?"]
    assert figures(site.path, LIMITS) == ()
    with database.reading(site.path, LIMITS) as now:
        assert now
        assert now.pragma("user_version") == len(database.steps())


def test_what_the_language_model_does_is_drawn_where_there_is_one() -> None:
    rows = [figure(0, "jobs done", 3), figure(0, "jobs cancelled", 1), figure(0, "jobs waiting", 2)]
    rows += [figure(0, "tokens per second", 3), figure(0, "answered", 6)]
    found = history(rows)
    assert found.totals["jobs done"] == 3
    assert 0 < found.tokens <= 5.0
    written, waited = found.plots[-2:]
    assert written.legend == (("a", "written"), ("b", "given up"), ("c", "failed"))
    assert "3 written; 1 given up; 0 failed" in written.drawing
    assert "5 answers that waited" in waited.drawing
    assert len(history([figure(0, "answered")]).plots) == len(found.plots) - 2


@pytest.mark.parametrize(
    ("times", "half", "most"),
    [([], 0, 0), ([0.0], 1, 1), ([1.0], 1, 1), ([100.0] * 99 + [9000.0], 128, 128), ([3.0, 50.0], 4, 64)],
)
def test_quantiles_are_upper_bounds_within_a_step(times: list[float], half: float, most: float) -> None:
    buckets = [0] * BUCKETS
    for value in times:
        buckets[bucket_of(value)] += 1
    assert half / 1.5 <= quantile(tuple(buckets), 0.5) <= half * 1.01
    assert most / 1.5 <= quantile(tuple(buckets), 0.95) <= most * 1.01


def test_no_time_is_too_long_for_a_bucket() -> None:
    assert bucket_of(1e12) == BUCKETS - 1
    assert [2 ** (bucket_of(value) / 2) >= value for value in (0.1, 1.0, 1.5, 2.0, 100.0)] == [True] * 5


def test_all_figures_are_put_together_by_hour_and_stage() -> None:
    kept = [figure(0, "answered", 6), figure(0, "time whole answer", 6), figure(1, "not found", 2, at=0.0)]
    present = [figure(1, "not found", 4, at=0.0)]
    found = history(together(kept, present))
    assert found.totals == {"answered": 6, "not found": 4}
    assert found.not_found_share == pytest.approx(0.4)
    assert [(stage.name, stage.count, stage.longest) for stage in found.stages] == [("whole answer", 6, 5.0)]
    questions = next(plot.drawing for plot in found.plots if plot.title == "Questions")
    assert "hour 2" in questions, "a wrong clock is no label"
    assert history(()).plots == ()


@pytest.mark.parametrize(
    "values", [(), (0.0,), (1.0,), (0.0, 5.0, 0.0), (1e6, 3.0), tuple(float(at) for at in range(48))]
)
def test_plots_are_sound_drawings_that_stay_in_their_frame(values: tuple[float, ...]) -> None:
    labels = [f"<{at}>" for at in range(len(values))]
    series = [Series('a"b', "a", values), Series("c", "b", values)]
    for plot in (bars("T<1>", labels, series), lines("T", labels, series, "ms", "nothing measured")):
        root = ET.fromstring(plot)
        assert root.get("aria-label")
        for mark in root.iter("rect"):
            assert float(mark.get("y", "-1")) >= 0
            assert float(mark.get("x", "0")) + float(mark.get("width", "0")) <= 720
        assert not re.search(r"script|style|href", plot)


@pytest.mark.parametrize(("most", "end"), [(0, 4), (1, 4), (4, 4), (5, 8), (9, 20), (81, 200), (1000, 2000)])
def test_axes_end_at_round_numbers(most: float, end: float) -> None:
    assert nice(most) == end


def test_figures_are_written_while_serving_and_at_the_end(tmp_path: Path) -> None:
    path, meter = tmp_path / "codes.db.site", Meter()
    settings = Settings(site=LIMITS, log=LogSettings(figures_seconds=0.05))
    keeper = Keeper(meter, Site(path, LIMITS), settings)
    meter.add("requests")
    keeper.start()
    end = time.monotonic() + 20
    while not figures(path, LIMITS) and time.monotonic() < end:
        time.sleep(0.05)
    meter.add("errors")
    keeper.end()
    assert {row.name for row in figures(path, LIMITS)} == {"requests", "errors"}
