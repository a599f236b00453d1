"""Whatever stops an update at whatever point: the box serves the old version or the new, whole."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from appliance.core.errors import UpdateRefused
from appliance.core.settings import Settings
from appliance.update import apply, durable, home
from appliance.update.durable import Act
from appliance.update.home import Home
from appliance.update.intake.stick import find_stick
from appliance.update.trial import run
from appliance.update.values import Golden
from tests.update import power
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import SETTINGS, update, version

KILLS = 500 if SOAK else 6


def well(_folder: Path, _golden: Sequence[Golden], _settings: Settings) -> run.Verdict:
    return run.Verdict("")


def fresh(office: Path, folder: Path) -> apply.Box:
    shutil.rmtree(folder, ignore_errors=True)
    return box_in(office, folder, well)


def acts(office: Path, folder: Path) -> list[Act]:
    box = fresh(office, folder)
    return power.acts_of(lambda: update(box, office / "two"))


def recovered(box: apply.Box) -> int:
    """The version that is served after the next start, and after that the update must go through."""
    with home.alone(box.home):
        apply.recover(box)
    found = version(box)
    kept = {path.name for path in box.home.generations.iterdir()}
    state = home.load_state(box.home)
    assert kept == {name for name in (state.current, state.previous, state.staged) if name}
    return found


def finished(box: apply.Box, stick: Path) -> int:
    if version(box) != 2:
        update(box, stick)
    return version(box)


def test_killed_at_every_durable_step(
    office: Path, two: Path, place: Path, told: Callable[[str], None]
) -> None:
    steps = acts(office, place / "box")
    seen: Counter[int] = Counter()
    for number in range(len(steps)):
        box = fresh(office, place / "box")
        ended = power.in_child(lambda box=box: update(box, two), power.at_act(number, power.kill_self))  # type: ignore[misc]
        assert ended == -9
        seen[recovered(box)] += 1
        if SOAK or number % 3 == 0:
            assert finished(box, two) == 2
    told(f"kill -9 at each of {len(steps)} durable steps: old {seen[1]}, new {seen[2]}, lost 0")
    assert seen.keys() == {1, 2}


def test_killed_at_random_times(office: Path, two: Path, place: Path, told: Callable[[str], None]) -> None:
    box = fresh(office, place / "box")
    start = time.monotonic()
    assert power.in_child(lambda: update(box, two)) == 0
    whole = time.monotonic() - start
    random_delay = random.Random(7)
    seen: Counter[int] = Counter()
    for _ in range(KILLS):
        box = fresh(office, place / "box")
        power.in_child(lambda box=box: update(box, two), delay=random_delay.uniform(0, 1.1 * whole))  # type: ignore[misc]
        seen[recovered(box)] += 1
        assert finished(box, two) == 2
    told(f"kill -9 at {KILLS} random times: old {seen[1]}, new {seen[2]}, lost 0")
    assert set(seen) <= {1, 2}


def test_power_cut_at_every_durable_step_with_all_that_was_not_synced_lost(
    office: Path, two: Path, place: Path, told: Callable[[str], None]
) -> None:
    box = fresh(office, place / "box")
    disk = power.Disk(box.home.path)
    seen: Counter[int] = Counter()
    left = place / "left"

    def cut(_act: Act, _path: Path, done: bool) -> None:
        if done:
            durable.watchers.clear()
            after = apply.Box(Home(disk.after_the_cut(left)), SETTINGS, well)
            seen[recovered(after)] += 1
            assert finished(after, two) == 2
            durable.watchers.extend([disk.watch, cut])

    with power.watched(disk.watch), power.watched(cut):
        update(box, two)
        durable.watchers[:] = [disk.watch, cut]
    told(f"power cut after each of {seen.total()} durable steps: old {seen[1]}, new {seen[2]}, lost 0")
    assert seen.keys() == {1, 2}


@pytest.mark.parametrize(
    ("fault", "every"),
    [(power.no_space, 1), (power.broken_disk, 1 if SOAK else 5)],
    ids=["disk full", "disk broken"],
)
def test_the_disk_refuses_at_every_step(
    fault: Callable[[], None], every: int, office: Path, two: Path, place: Path, told: Callable[[str], None]
) -> None:
    steps = acts(office, place / "box")
    seen: Counter[int] = Counter()
    for number in range(0, len(steps), every):
        box = fresh(office, place / "box")
        with power.watched(power.at_act(number, fault)):
            try:
                update(box, two)
            except UpdateRefused as error:
                assert "disk" in str(error)  # noqa: PT017 - some steps may fail without harm
        seen[recovered(box)] += 1
        if SOAK or number % 3 == 0:
            assert finished(box, two) == 2
    told(f"{fault.__name__} at each of {len(steps)} durable steps: old {seen[1]}, new {seen[2]}, lost 0")
    assert seen.keys() == {1, 2}


def test_a_trial_that_the_power_cut_ends_is_tried_once_more_then_given_up(
    office: Path, two: Path, place: Path
) -> None:
    shutil.copytree(office / "box", place / "box")

    def cut(_folder: Path, _golden: Sequence[Golden], _settings: Settings) -> run.Verdict:
        (place / "tries").open("a").write("x")
        power.kill_self()
        return run.Verdict("")

    box = apply.Box(Home(place / "box"), SETTINGS, cut)
    assert power.in_child(lambda: update(box, two)) == -9
    for _ in range(3):
        power.in_child(lambda: apply.recover(box))
    assert (place / "tries").read_text() == "xx"
    assert version(box) == 1
    with pytest.raises(UpdateRefused, match="did not work"):
        apply.check(apply.Box(box.home, SETTINGS), find_stick(two))
