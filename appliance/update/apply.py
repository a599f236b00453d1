"""An update from the stick to the switch: the one place that joins reading, deciding and writing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec.structs import replace

from appliance.core.decoding import decode
from appliance.core.errors import HomeUnusable, UpdateRefused
from appliance.core.settings import Settings
from appliance.store.connection import SCHEMA_VERSION
from appliance.update import audit, home
from appliance.update.home import Home
from appliance.update.intake import stage as room
from appliance.update.intake import trust
from appliance.update.intake.stage import read_text, stage
from appliance.update.intake.stick import NotThere, Stick
from appliance.update.intake.verify import Facts, Plan, check_names, decide
from appliance.update.trial import attempt, recheck, run
from appliance.update.values import IMAGES, RELEASE, Installed, Pack, Progress, Release, State, Trust
from appliance.update.words import refusal


def quiet(_doing: str, _done: int, _all: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Box:
    """A home, and what its owner decides: settings, how a generation is tried, who sees the progress."""

    home: Home
    settings: Settings = field(default_factory=Settings)
    trial: attempt.Trial = run.try_generation
    progress: Progress = quiet


def check(box: Box, stick: Stick, *, again: bool = False) -> Plan:
    """Return what the bundle on the stick would do; nothing but new keys is kept. Raises UpdateRefused."""
    with home.alone(box.home), logged(box.home):
        return _look(box, stick, recover(box), again=again)[0]


def prepare(
    box: Box, stick: Stick, *, again: bool = False, given_up: str = "", newer: bool = False
) -> Installed:
    """Stage the bundle on the stick and return what it consists of; the box serves what it served.

    `given_up` is the generation before, where a person agreed that it makes room; with `newer` what waits
    stays, and is returned, unless a newer version lies on the stick.

    Raises:
        UpdateRefused: with the reason; where something waits, an old stick is none. HomeUnusable: there is
        no home.
    """
    with home.alone(box.home), logged(box.home):
        state = recover(box)
        if newer and state.staged:
            waits = home.installed(box.home, state.staged)
            try:
                plan, _ = _look(box, stick, state, again=again)
            except UpdateRefused as error:
                if error.code in {"same", "older"} and home.load_state(box.home).staged:
                    return waits
                raise
            state = home.load_state(box.home)
            if state.staged and plan.release.version < waits.release.version:
                return waits
        return _prepare(box, stick, state, again=again, given_up=given_up)


def prepared(box: Box, *, told: bool = False) -> Installed | None:
    """Return what is staged already and waits for a person, None for nothing that may still be served.

    Raises:
        HomeUnusable: there is no home. UpdateRefused: an update is under way; with `told`, also where what
        waited is removed now.
    """
    with home.alone(box.home), logged(box.home):
        state = home.load_state(box.home)
        lost = recheck.trouble(box.home, state, state.staged)
        state = recover(box)
        if lost and told:
            raise refusal("dropped", why=lost)
        return home.installed(box.home, state.staged) if state.staged else None


def switch(box: Box, agreed: str = "") -> Installed:
    """Try what is staged and serve it from now on; `agreed` is the generation that a person was shown.

    Raises:
        UpdateRefused: nothing is staged, or another than was agreed to, or it does not work.
    """
    with home.alone(box.home), logged(box.home):
        state = home.load_state(box.home)
        lost = recheck.trouble(box.home, state, state.staged)
        state = recover(box)
        if not state.staged and lost:
            raise refusal("dropped", why=lost)
        if agreed not in {"", state.staged}:
            raise refusal("another")
        if not state.staged:
            raise refusal("no stick")
        state = replace(state, staged="", trying=state.staged, tries=attempt.TRIES)
        home.save_state(box.home, state)
        return attempt.tried(box.home, state, box.trial, box.settings)


def resume(box: Box) -> None:
    """End what a power cut interrupted; raises HomeUnusable, UpdateRefused."""
    with home.alone(box.home), logged(box.home):
        recover(box)


def recover(box: Box) -> State:
    """Bring the home from whatever a power cut left to a state in which nothing is under way.

    What was being tried is tried again as often as is left, then given up. What waits and can no longer be
    read, or was signed by keys that are no longer trusted, is removed.
    """
    state = home.load_state(box.home)
    if not home.is_sound(box.home):
        home.save_state(box.home, state)
        attempt.note(box.home, "rebuilt", "state.json was lost", state.current)
    home.copy_state(box.home)
    if state.trying:
        try:
            attempt.tried(box.home, state, box.trial, box.settings)
        except UpdateRefused as error:
            with suppress(OSError):
                audit.refused(box.home.audit_file, error)
        state = home.load_state(box.home)
    good = _still_good(box, state)
    state = recheck.marked(box.home, good)
    if state != good:  # one that was put together anew does not say that its keys were revoked since
        home.save_state(box.home, state)
    lines = audit.read_log(box.home.audit_file).lines
    noted = {line.generation for line in lines if line.event == "committed"}
    if state.current and state.current not in noted:
        attempt.note(box.home, "committed", "noted later, for the disk took no line then", state.current)
    home.tidy(box.home)
    return state


def go_back(box: Box, agreed: str = "", *, revoked: bool = False) -> Installed:
    """Serve the generation before, after reading every byte of it; raises UpdateRefused (as `switch`).

    `agreed` is the generation that a person was shown; with `revoked` also one that keys signed which are no
    longer trusted.
    """
    with home.alone(box.home), logged(box.home):
        state = recover(box)
        if not state.previous:
            raise refusal("nothing before")
        if agreed not in {"", state.previous}:
            raise refusal("another before")
        found = home.installed(box.home, state.previous)
        if changed := next(home.damaged_files(box.home.generation(state.previous), found), None):
            raise refusal("previous broken", name=changed)
        if not revoked and recheck.revoked(box.home, state, state.signed_before):
            raise refusal("previous revoked")
        damaged = state.damaged if state.damaged == state.previous else ""
        state = replace(state, signed=recheck.signed(box.home, state))
        gone_back = recheck.marked(box.home, recheck.back(state))
        home.save_state(box.home, replace(gone_back, damaged=damaged))
        attempt.note(box.home, "went back", f"from {state.current}", state.previous)
        return found


def give_up(box: Box, name: str, why: str) -> None:
    """Hold a generation that waits for one that was tried and did not work; raises UpdateRefused."""
    with home.alone(box.home), logged(box.home):
        state = recover(box)
        if state.staged == name:
            raise attempt.given_up(box.home, state, home.installed(box.home, name), why)


def _look(box: Box, stick: Stick, state: State, *, again: bool) -> tuple[Plan, Trust]:
    """Walk the metadata, keep a newer root at once, decide on the rest; return that and the new trust."""
    before = home.load_trust(box.home, state.trust)
    walked = trust.walk(before, stick)
    if walked.trust.root != before.root:
        rooted = replace(before, root=walked.trust.root)
        state = recheck.marked(box.home, replace(state, trust=home.save_trust(box.home, rooted)))
        home.save_state(box.home, state)
        said = f"root {trust.root_version(rooted)}, release keys {trust.key_set(rooted)}"
        attempt.note(box.home, "new keys", said)
        state = _still_good(box, state)
    if walked.refused:
        raise walked.refused
    return decide(_facts(box, stick, state, walked.trust, again=again)), walked.trust


def _still_good(box: Box, state: State) -> State:
    """Return the state without what waits where that may no longer be served."""
    why = recheck.trouble(box.home, state, state.staged)
    return attempt.drop(box.home, state, why) if why else state


def _facts(box: Box, stick: Stick, state: State, trusted: Trust, *, again: bool) -> Facts:
    files = trust.wanted(trusted)
    check_names(files)
    named = {file.name: file for file in files}
    texts = [read_text(stick, named[name]) for name in (RELEASE, IMAGES)]
    try:
        release = decode(texts[0], Release)
        packs = decode(texts[1], list[Pack])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise refusal("strange", name="a description that cannot be read") from None
    if release.version != trust.version_of(trusted):
        raise refusal("strange", name="a description of another version")
    old = _present(box.home, state)
    disk = shutil.disk_usage(box.home.path)
    return Facts(
        state=state,
        key_set=trust.key_set(trusted),
        digest=recheck.digest(trusted),
        release=release,
        files=files,
        packs=packs,
        here=old[1] if old else None,
        on_stick=frozenset(file.sha256 for file in files if stick.size(file.place) == file.length),
        schema=SCHEMA_VERSION,
        free=disk.free,
        most=disk.total,
        again=again,
        spare=room.spare(box.home, state),
    )


def _present(at: Home, state: State) -> tuple[Path, Installed] | None:
    """Return the generation that is served, None where there is none that can be read."""
    if not state.current:
        return None
    try:
        return at.generation(state.current), home.installed(at, state.current)
    except HomeUnusable:
        return None


def _prepare(box: Box, stick: Stick, state: State, *, again: bool, given_up: str) -> Installed:
    plan, trusted = _look(box, stick, state, again=again)
    state = home.load_state(box.home)
    name = f"{plan.release.version}-{plan.digest[:12]}"
    if state.staged and home.installed(box.home, state.staged).digest == plan.digest:
        if not (why := recheck.changed(box.home, state.staged)):
            return home.installed(box.home, state.staged)
        state = attempt.drop(box.home, state, why)
    if box.home.generation(name).exists():  # damaged, gone back from, or still served: a fresh one beside it
        name = next(f"{name}-{n}" for n in range(2, 100) if not box.home.generation(f"{name}-{n}").exists())
    if plan.room:
        state = room.make(box.home, state, plan.room, plan.release.version, given_up)
    try:
        done = stage(stick, plan, _present(box.home, state), box.home.generation(name), box.progress)
        kept = home.save_trust(box.home, trusted)
        home.save_state(box.home, replace(state, staged=name, trust_of_staged=kept))
    except BaseException:
        with suppress(OSError):
            home.tidy(box.home)
        raise
    attempt.note(box.home, "staged", f"version {done.release.version}", name)
    home.tidy(box.home)
    return done


@contextmanager
def logged(at: Home) -> Iterator[None]:
    """Note a refusal in the log, and give what the disk refused its words."""
    try:
        yield
    except UpdateRefused as error:
        with suppress(OSError):  # a full disk is no reason to say something else
            audit.refused(at.audit_file, error)
        raise
    except (NotThere, OSError) as error:
        told = refusal("disk", why=getattr(error, "strerror", None) or str(error))
        raise told from error
