"""What a person at the box has done to it, one thing at a time in a thread, for a page that looks in."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from appliance.core.errors import ApplianceError, UpdateRefused
from appliance.update import apply, home
from appliance.update.changes import compare
from appliance.update.changes.report import (
    ENDED,
    NOT_HELD,
    PRESENT,
    PROGRAM,
    TIME,
    Report,
    compared,
    in_process_of_its_own,
)
from appliance.update.intake.stick import find_stick
from appliance.update.intake.verify import Plan
from appliance.update.trial.scrub import MOVED, STAYS, UNWRITTEN, WHOLE, scrub, scrub_said
from appliance.update.wayback import send
from appliance.update.words import MAKES_ROOM, Why, at_page

_LOG = logging.getLogger(__name__)
Task = Literal["look", "copy", "compare", "switch", "back", "scrub", "notes"]
STAGES: dict[Task, str] = {
    "look": "Looking at the stick",
    "copy": "Copying from the stick",
    "compare": "Comparing clause by clause with what is served",
    "switch": "Trying the new version: it is opened and asked its questions",
    "back": "Reading every byte of the version before",
    "scrub": "Reading every byte of what is served",
    "notes": "Writing the notes of the site to the stick",
}
AGAIN = "Reading again what was copied"
STAYS_READY = "Version {old} stays prepared: the stick holds nothing newer."
TAKES_ITS_PLACE = "Version {old} was prepared; version {new} on the stick takes its place."
SERVED = "Version {version} works and is served now."
BACK = "Version {version} is served again."
NO_NOTES = "The notes of this site cannot be held against it: {why}"
WRITTEN = "The stick holds the notes of the site ({notes}), signed. It may be pulled out."
UNFORESEEN = (
    "Something happened that was not foreseen. The box serves what it served before; try again, and if it "
    "happens twice, tell whoever keeps the box."
)


@dataclass(frozen=True, slots=True)
class Doing:
    """The task under way, or the last one: its number, how far it is (bytes), and how it ended.

    `words` are what came of it, for `facts` to be filled in (None: as they are), `code` the reason of a
    refusal; `plan` is what a look at a stick found.
    """

    number: int = 0
    task: Task = "look"
    stage: str = ""
    done: int = 0
    total: int = 0
    ended: bool = True
    well: bool = True
    words: str = ""
    facts: dict[str, object] | None = None
    code: str = ""
    plan: Plan | None = None


class Desk:
    """The box with what is done to it; safe to share between threads."""

    def __init__(
        self, box: apply.Box, stick: Path | None = None, report: Report = in_process_of_its_own
    ) -> None:
        self.box = replace(box, progress=self._told)
        self._stick, self._compared = stick, report
        self._lock = threading.Lock()
        self._doing = Doing()
        self._report: tuple[str, dict[str, Any]] = ("", {})

    def begin(self, task: Task, agreed: str = "", *, again: bool = False) -> bool:
        """Begin a task in a thread; tell whether it was begun, for there is one at a time."""
        with self._lock:
            if not self._doing.ended:
                return False
            number = self._doing.number + 1
            self._doing = Doing(number, task, STAGES[task], ended=False)
        work: dict[Task, Callable[[], None]] = {
            "look": lambda: self._look(again=again),
            "copy": lambda: self._copy(agreed, again=again),
            "compare": self._compare,
            "switch": lambda: self._switch(agreed),
            "back": lambda: self._back(agreed),
            "scrub": self._scrub,
            "notes": self._notes,
        }
        threading.Thread(target=self._do, args=(work[task],), name=f"update {task}", daemon=True).start()
        return True

    def look(self) -> Doing:
        """Return what is under way, or what was last."""
        with self._lock:
            return self._doing

    def report(self) -> dict[str, Any] | None:
        """Return what the prepared generation changes; None where nothing is, or it was not compared yet."""
        staged = home.load_state(self.box.home).staged
        with self._lock:
            return self._report[1] if staged and self._report[0] == staged else None

    def _do(self, work: Callable[[], None]) -> None:
        said: dict[str, Any] = {}
        try:
            work()
        except UpdateRefused as error:
            words = error.at_page if error.facts is None else at_page(Why(error.code))
            said = {"well": False, "words": words, "facts": error.facts, "code": error.code}
        except ApplianceError as error:
            said = {"well": False, "words": str(error)}
        except Exception as error:  # noqa: BLE001 - a person waits for a word, whatever it is
            _LOG.exception("an update task failed", exc_info=error)
            said = {"well": False, "words": UNFORESEEN}
        self._set(ended=True, **said)

    def _set(self, **values: Any) -> None:
        with self._lock:
            self._doing = replace(self._doing, **values)

    def _told(self, doing: str, done: int, total: int) -> None:
        stage = AGAIN if doing == "reading again" else STAGES["copy"]
        self._set(stage=stage, done=done, total=total)

    def _look(self, *, again: bool) -> None:
        self._set(plan=apply.check(self.box, find_stick(self._stick), again=again))

    def _copy(self, given_up: str, *, again: bool) -> None:
        waits = apply.prepared(self.box)
        found = apply.newest(self.box, find_stick(self._stick), again=again, given_up=given_up)
        self._compare()
        if waits:
            words = STAYS_READY if found.digest == waits.digest else TAKES_ITS_PLACE
            self._set(words=words, facts={"old": waits.release.version, "new": found.release.version})

    def _compare(self) -> None:
        self._set(stage=STAGES["compare"], done=0, total=0)
        staged = home.load_state(self.box.home).staged
        found = compared(self.box, self._compared) if staged else {}
        with self._lock:
            self._report = found.get("generation", ""), found
        if found.get("site"):
            self._set(well=False, words=NO_NOTES, facts={"why": found["site"]})

    def _switch(self, agreed: str) -> None:
        found = apply.switch(self.box, agreed)
        self._set(words=SERVED, facts={"version": found.release.version})

    def _back(self, agreed: str) -> None:
        found = apply.go_back(self.box, agreed)
        self._set(words=BACK, facts={"version": found.release.version})

    def _scrub(self) -> None:
        done = scrub(self.box)
        words, facts = scrub_said(done)
        self._set(words=words, facts=facts, well=not done.damaged)

    def _notes(self) -> None:
        self._set(words=WRITTEN, facts={"notes": send(self.box.home, self._stick)})


def phrases() -> tuple[str, ...]:
    """Return every sentence that a task can say, for the catalogue of translations."""
    refusals = (at_page(code) for code in Why)
    return (
        *STAGES.values(),
        AGAIN,
        STAYS_READY,
        TAKES_ITS_PLACE,
        SERVED,
        BACK,
        WRITTEN,
        NO_NOTES,
        UNFORESEEN,
        WHOLE,
        MOVED,
        STAYS,
        UNWRITTEN,
        PROGRAM,
        PRESENT,
        TIME,
        ENDED,
        NOT_HELD,
        MAKES_ROOM,
        *compare.phrases(),
        *refusals,
    )
