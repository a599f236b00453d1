"""What people on site produce: questions without an answer, what they say of answers, answers they keep."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs

from appliance.core.document import Label
from appliance.core.errors import BadInput, SiteUnusable
from appliance.core.evidence import Answer, Failed, Grounded, NotFound
from appliance.core.settings import SiteSettings
from appliance.site.database import patient, probe, reading, sql, writing

Kind = Literal["gaps", "feedback", "corrections", "answers"]
Verdict = Literal["helpful", "wrong", "missing"]
KINDS: tuple[Kind, ...] = ("gaps", "feedback", "corrections", "answers")
PLACES = 12  # shown places that a row names
QUESTION, COMMENT, LABEL, BESIDE = 2_000, 2_000, 120, 6_000  # characters kept
DESCRIPTIONS = 5_000  # of figures, each of about 500 bytes
_LOG = logging.getLogger(__name__)
_CONTROL = re.compile(r"[^\S\n]|[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
SAID = {"gaps": ("asked", "last"), "feedback": ("verdict", "comment"), "corrections": ("comment",),
        "answers": ("sha256", "note")}  # fmt: skip
FILTERS = {"d": "documents", "family": "families", "edition": "editions", "kind": "kinds", "tag": "tags"}
NORMATIVE = {"normative": True, "informative": False}
FIELDS = 100  # of what is beside a question


@dataclass(frozen=True, slots=True)
class Shown:
    """A place that was shown with the answer: the document, its label key, its first page (0: unknown)."""

    document: str
    label: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class About:
    """What a row is about: the request, the question, what was shown, and the version of the library.

    The question is the one that stands by itself: of one that goes on, as it was understood. `beside` is the
    address that it was asked by ("q=...&after=...&d=..."), "" where that says no more than the question.
    """

    request: str
    question: str
    shown: tuple[Shown, ...]
    library: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `at` is in seconds since 1970, `said` what only rows of its kind have."""

    kind: Kind
    number: int
    about: About
    at: float
    said: dict[str, str | int | float] = field(default_factory=dict)


def new_request() -> str:
    """Return the id of a request: random, so that it names nobody and nothing."""
    return secrets.token_hex(8)


def about(answer: Answer, library: str, request: str = "", beside: str = "") -> About:
    """Return what a row about this answer names: the places cited, else the nearest ones found."""
    question, shown = answer.question, list[Shown]()
    if not isinstance(answer, Failed):
        query = answer.evidence.query
        if query.after and query.typed:
            question = query.text  # as it can be asked by itself
        if isinstance(answer, Grounded):
            shown = [Shown(said.document, said.label.key, said.page) for said in answer.citations]
        shown = shown or [
            Shown(place.document, place.label.key, min(place.pages, default=0))
            for place in answer.evidence.shown
        ]
    return About(request or new_request(), question, tuple(dict.fromkeys(shown))[:PLACES], library, beside)


def site_file(library: Path, limits: SiteSettings) -> Path:
    """Return where site.db is: beside the library ("codes.db" -> "codes.db.site"), or as the settings say."""
    return library.with_name(f"{library.name}.site") if limits.file == Path() else limits.file


class Site:
    """The notes of a site: the file, its limits, and why the last note could not be kept."""

    def __init__(self, path: Path, limits: SiteSettings) -> None:
        self.path = path
        self.limits = limits
        self.trouble = ""

    def keep_gap(self, answer: Answer, library: str, request: str = "", beside: str = "") -> bool:
        """Note a question that was not answered; tell whether it is kept. Never raises.

        The same question asked beside something else, a filter or a thread, is another row.
        """
        if not isinstance(answer, NotFound) or not self.limits.gaps:
            return False
        row = about(answer, library, request, beside)
        folded = " ".join(clean(f"{row.question} {row.beside}", QUESTION + BESIDE).casefold().split())
        reasons = [clean(reason, COMMENT) for reason in answer.reasons]
        try:
            self._add(self.limits, "add gap", row, {"reasons": reasons}, folded=folded)
        except SiteUnusable as error:
            if str(error) != self.trouble:  # once, not for every question
                _LOG.warning("%s", error)
            self.trouble = str(error)
            return False
        self.trouble = ""
        return True

    def add_feedback(self, said: About, verdict: Verdict, comment: str = "") -> None:
        """Keep what a person says of an answer; raises BadInput, SiteUnusable."""
        if verdict not in ("helpful", "wrong", "missing"):
            raise BadInput("Say whether the answer was helpful, wrong, or had something missing.")
        _check_question(said)
        row = {"verdict": verdict, "comment": clean(comment, COMMENT)}
        self._add(patient(self.limits), "add feedback", said, {}, **row)

    def add_correction(
        self, said: About, wrong: Sequence[Shown], right: Sequence[Shown], comment: str = ""
    ) -> None:
        """Keep which places a question should have been answered with; raises BadInput, SiteUnusable."""
        _check_question(said)
        if not right and not wrong:
            raise BadInput("Name the place that is right, the one that is wrong, or both.")
        places = {"wrong": _named(wrong), "right": _named(right)}
        self._add(patient(self.limits), "add correction", said, places, comment=clean(comment, COMMENT))

    def rows(self, kind: Kind) -> tuple[Row, ...]:
        """Return the rows of a kind, youngest first; none where nothing was kept. Raises SiteUnusable."""
        rows = []
        for number, request, question, evidence, library, at, details, *rest in self.found(kind):
            shown = tuple(Shown(**place) for place in json.loads(evidence))
            said = dict(zip(SAID[kind], rest, strict=True)) | json.loads(details)
            beside = str(said.pop("beside", ""))
            rows.append(Row(kind, number, About(request, question, shown, library, beside), at, said))
        return tuple(rows)

    def counts(self) -> dict[str, int]:
        """Return how many rows there are of each kind. Raises SiteUnusable."""
        return dict(self.found("counts"))

    def dropped(self) -> dict[str, int]:
        """Return how many rows of each kind made room for younger ones. Raises SiteUnusable."""
        return dict(self.found("dropped"))

    def described(self, key: str) -> str:
        """Return what a vision model said of a figure, as it is kept under a key; "" where nothing is."""
        try:
            rows = self.found("described", key=key)
        except SiteUnusable as error:
            _LOG.warning("a kept description cannot be read: %s", error)
            return ""
        return str(rows[0][0]) if rows else ""

    def keep_described(self, key: str, said: str) -> None:
        """Keep what was said under a key, in place of what was kept there; the oldest make room."""
        try:
            with writing(self.path, self.limits) as connection:
                connection.execute(sql("keep described"), {"key": key, "at": time.time(), "said": said})
                connection.execute(sql("drop described"), {"most": DESCRIPTIONS})
        except SiteUnusable as error:
            _LOG.warning("a description cannot be kept: %s", error)

    def clear(self, kind: Kind) -> int:
        """Remove the rows of a kind and return how many they were. Raises SiteUnusable."""
        if not self.counts().get(kind):
            return 0
        with writing(self.path, patient(self.limits)) as connection:
            connection.execute(sql(f"clear {kind}"))
            return connection.changes()

    def check(self) -> None:
        """Raise SiteUnusable where a note could not be kept now; changes nothing."""
        probe(self.path, self.limits)

    def found(self, statement: str, **values: str | int) -> list[Any]:
        """Return the rows of a statement of queries.sql, none where nothing was kept. Raises SiteUnusable."""
        with reading(self.path, self.limits) as connection:
            return list(connection.execute(sql(statement), values)) if connection else []

    def _add(
        self, limits: SiteSettings, statement: str, said: About, details: dict[str, Any], **more: str
    ) -> None:
        beside = {"beside": clean(said.beside, BESIDE)} if said.beside else {}
        values = {
            "request": clean(said.request, 64),
            "question": clean(said.question, QUESTION),
            "evidence": _json(_named(said.shown)),
            "library": clean(said.library, 64),
            "at": time.time(),
            "details": _json(details | beside),
        }
        with writing(self.path, limits) as connection:
            connection.execute(sql(statement), values | more)


def judged(row: Row) -> dict[str, Any]:
    """Return a row as a judged question to be completed: `gold` is empty until a person fills it.

    A correction brings its own: the places that a person said are right.
    """
    right: Any = row.said.get("right", ())
    return {
        "id": f"{row.kind}-{row.number}",
        "question": row.about.question,
        **({"beside": row.about.beside} if row.about.beside else {}),
        **({"filter": narrowed} if (narrowed := filter_of(row.about.beside)) else {}),
        "gold": [place | {"label": str(Label.from_key(place["label"])), "kind": "clause"} for place in right],
        "request": row.about.request,
        "library": row.about.library,
        "at": written(row.at),
        "shown": [asdict(place) for place in row.about.shown],
        **{
            name: written(value) if name == "last" else value
            for name, value in row.said.items()
            if name != "right"
        },
    }


def filter_of(beside: str) -> dict[str, Any]:
    """Return the filter that a question was asked with, {} for none: no more than it left was searched."""
    try:
        given = parse_qs(beside, max_num_fields=FIELDS)
    except ValueError:
        return {}
    found: dict[str, Any] = {name: given[short] for short, name in FILTERS.items() if short in given}
    status = given.get("status", [""])[0]
    return found | ({"normative": NORMATIVE[status]} if status in NORMATIVE else {})


def written(at: Any) -> str:
    """Return a time as ISO 8601 writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def _check_question(said: About) -> None:
    if not said.question.strip():
        raise BadInput("Name the question that this is about.")


def _named(places: Sequence[Shown]) -> list[dict[str, Any]]:
    return [
        {
            "document": clean(place.document, LABEL),
            "label": clean(place.label, LABEL),
            "page": max(0, min(place.page, 99_999)),
        }
        for place in places[:PLACES]
    ]


def clean(text: str, most: int) -> str:
    """Return a text without control signs, cut to so many characters."""
    return _CONTROL.sub(" ", text).strip()[:most]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
