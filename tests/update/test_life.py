"""A long life of a box at random: good and spoilt sticks, lost power, full disks, changed bits, keys."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from appliance.core.errors import UpdateRefused
from appliance.update import apply, audit, home, keys
from appliance.update.trial import run
from appliance.update.trial.scrub import scrub
from appliance.update.values import State
from tests.update import power
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import TEXTS, Builder, copy, update
from tests.update.test_attacks import mutate
from tests.update.test_power import well

EVENTS = 1_000 if SOAK else 60
STICKS = 6  # earlier ones that somebody still has


@dataclass(slots=True)
class Life:
    """A box, its builder, the sticks that lie about, and what is known to be true of the box."""

    folder: Path
    builder: Builder
    box: apply.Box
    chance: random.Random
    sticks: list[Path] = field(default_factory=list)
    flipped: set[str] = field(default_factory=set)  # generations in which a bit was changed
    floors: dict[str, int] = field(default_factory=dict)  # by set of keys
    made: int = 0

    @property
    def state(self) -> State:
        return home.load_state(self.box.home)

    def new_stick(self) -> Path:
        self.made += 1
        texts = TEXTS | {"5.1": f"Each beam has a width of at least {90 + self.made} millimetres."}
        stick = self.builder.bundle(texts, to=f"stick {self.made}")
        self.sticks.append(stick)
        if len(self.sticks) > STICKS:
            shutil.rmtree(self.sticks.pop(0))
        return stick

    # -- what may happen

    def good_stick(self) -> None:
        done = update(self.box, self.new_stick())
        assert self.served() == done.release.version

    def old_stick(self) -> None:
        if self.sticks:
            with suppress(UpdateRefused):
                update(self.box, self.chance.choice(self.sticks))

    def spoilt_stick(self) -> None:
        stick = copy(self.new_stick(), self.folder / "spoilt")
        for _ in range(self.chance.randrange(1, 4)):
            mutate(stick, self.chance)
        with suppress(UpdateRefused):
            update(self.box, stick)
        shutil.rmtree(stick)

    def power_lost(self) -> None:
        stick, act = self.new_stick(), self.chance.randrange(60)
        power.in_child(lambda: update(self.box, stick), power.at_act(act, power.kill_self))

    def disk_full(self) -> None:
        stick = self.new_stick()
        with power.watched(power.at_act(self.chance.randrange(60), power.no_space)), suppress(UpdateRefused):
            update(self.box, stick)

    def does_not_work(self) -> None:
        broken = apply.Box(self.box.home, self.box.settings, lambda *_: run.Verdict("it does not work"))
        before = self.served()
        with suppress(UpdateRefused):
            update(broken, self.new_stick())
        assert self.served() == before

    def back(self) -> None:
        with suppress(UpdateRefused):
            apply.go_back(self.box)
            assert self.state.current not in self.flipped

    def bit_flips(self) -> None:
        name = self.chance.choice([name for name in (self.state.current, self.state.previous) if name])
        path = self.box.home.generation(name) / "codes.db"
        content = bytearray(path.read_bytes())
        content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
        path.chmod(0o644)
        path.write_bytes(content)
        self.flipped ^= {name}
        if home.whole(self.box.home, name):
            self.flipped.discard(name)
        else:
            self.flipped.add(name)

    def scrubbed(self) -> None:
        damaged = self.state.current in self.flipped
        done = scrub(self.box)
        assert bool(done.damaged) == damaged
        if done.moved_to:
            assert self.state.current not in self.flipped

    def new_keys(self) -> None:
        name = self.chance.choice(sorted(keys.names(self.builder.keys).values()))
        keys.rotate(self.builder.keys, name)

    def pointer_lost(self) -> None:
        (self.box.home.path / self.chance.choice(["state.json", "state.bak"])).unlink(missing_ok=True)

    # -- what must hold

    def served(self) -> int:
        """The version that is served: whole, unless a bit of it was changed where it lay."""
        state = self.state
        if state.current not in self.flipped:
            assert home.whole(self.box.home, state.current), "a damaged generation is served"
        return home.installed(self.box.home, state.current).release.version

    def holds(self) -> None:
        with home.alone(self.box.home):
            state = apply.recover(self.box)
        assert not state.trying
        assert 1 <= self.served() <= self.made + 2  # the two of the office came before
        assert state.floor >= self.floors.get(state.key_set, 0)
        self.floors[state.key_set] = state.floor
        kept = {path.name for path in self.box.home.generations.iterdir()}
        assert kept == {name for name in (state.current, state.previous, state.staged) if name}
        self.flipped &= kept
        assert audit.read_log(self.box.home.audit_file).broken == ()


def test_a_long_life(office: Path, quick: Path, told: Callable[[str], None]) -> None:
    chance = random.Random(int(os.environ.get("LIFE", "5")))
    shutil.copytree(office / "keys", quick / "keys")
    life = Life(quick, Builder(quick), box_in(office, quick / "box", well), chance)
    events = (
        life.good_stick, life.old_stick, life.spoilt_stick, life.power_lost, life.disk_full,
        life.does_not_work, life.back, life.bit_flips, life.scrubbed, life.scrubbed,
        life.new_keys, life.pointer_lost,
    )  # fmt: skip
    seen: Counter[str] = Counter()
    for _ in range(EVENTS):
        event = chance.choice(events)
        if event == life.new_keys and chance.random() < 0.9:
            continue  # a bundle carries every root there was
        event()
        life.holds()
        seen[event.__name__] += 1
    told(f"{seen.total()} events at random, {life.made} versions, lost 0: {dict(seen)}")
    assert life.made > EVENTS / 10
