"""The way back: what people on site asked and said, signed by the box, read by the builder."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance.core.decoding import decode
from appliance.core.document import Label
from appliance.core.errors import ApplianceError, BadInput, UpdateRefused
from appliance.core.evidence import Grounded
from appliance.core.files import read_lines
from appliance.core.settings import SiteSettings
from appliance.library import Library, open_store
from appliance.site import saved
from appliance.site.gaps_and_feedback import KINDS, Site, judged
from appliance.store.read import Store
from appliance.update import durable, home
from appliance.update.home import Home, hash_of
from appliance.update.intake.stick import PLACES, NotThere, Stick, globbed
from appliance.update.keys import fingerprint, load_private
from appliance.update.status import BOX_KEY, BOX_PUBLIC, public_key
from appliance.update.trial import attempt
from appliance.update.values import LIBRARY
from appliance.update.words import refusal

FOLDER = "CODES-NOTES"
NOTES, SIGNATURE = "notes.json", "notes.sig"
MOST = 256 << 20  # bytes of a file of notes
# what signed notes of another shape than a box writes raise while they are read
_ODD = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
_PURPOSE = b"appliance notes 1\n"  # so that no other signature of the box can stand here


@dataclass(frozen=True, slots=True)
class Brought:
    """What came from a box: its name, all its notes, and those that were not known before."""

    box: str
    notes: int
    new: tuple[dict[str, Any], ...]


def export(at: Home, to: Path) -> int:
    """Write the notes of the site, signed, into a folder of the stick and return how many there are.

    Raises:
        UpdateRefused: the stick cannot be written. SiteUnusable: the notes cannot be read.
    """
    state = home.load_state(at)
    site = Site(at.site_file, SiteSettings())
    with _kinds(at, state.current) as kind_of:
        rows = list(_notes(site, kind_of))
    content = {"format": 1, "box": state.box, "generation": state.current, "notes": rows}
    data = json.dumps(content, ensure_ascii=False, indent=1).encode()
    signature = load_private(at.path / BOX_KEY).sign(_PURPOSE + data)
    public = public_key(at)
    with home.alone(at):
        _write(to, {NOTES: data, SIGNATURE: f"{signature.hex()}\n".encode(), BOX_PUBLIC: public})
        attempt.note(at, "exported", f"{len(rows)} notes", state.current)
    return len(rows)


@contextmanager
def _kinds(at: Home, generation: str) -> Iterator[Callable[[str, str], str]]:
    """Give what tells whether a place is a clause, a table or what else, "" where no library says it."""
    with ExitStack() as stack:
        store: Store | None = None
        with suppress(ApplianceError, OSError):
            if generation:
                store = stack.enter_context(open_store(at.generation(generation) / LIBRARY))

        def kind_of(document: str, key: str) -> str:
            if store is None:
                return ""
            with suppress(ApplianceError, ValueError):
                label = Label.from_key(key)
                if clause := store.clause(document, label):
                    return str(clause.kind)
                others = {"table": store.table, "figure": store.figure, "formula": store.formula}
                return next((kind for kind, find in others.items() if find(document, label)), "")
            return ""

        yield kind_of


def _notes(site: Site, kind_of: Callable[[str, str], str]) -> Iterator[dict[str, Any]]:
    """Yield the notes of a site, oldest of each kind first; `note` is the kind.

    A saved answer brings what was written on it (`written`) and itself, as it was given (`kept`); every place
    that was shown, or said to be right, its kind.
    """
    answers = {item.key: item for item in saved.listed(site, most=-1)}
    for kind in KINDS:
        for row in reversed(site.rows(kind)):
            note = judged(row)
            for place in note["shown"]:
                place["kind"] = kind_of(place["document"], place["label"])
            right: Any = row.said.get("right", ())
            for place, said in zip(note["gold"], right, strict=True):
                place["kind"] = kind_of(said["document"], said["label"]) or place["kind"]
            if kind == "answers":
                note["written"] = note.pop("note", "")
                if item := answers.get(row.about.request):
                    note["kept"] = msgspec.to_builtins(item.kept)
            yield note | {"note": kind}


def _write(to: Path, files: dict[str, bytes]) -> None:
    """Write files into the folder of notes and read them again from the stick; raises UpdateRefused.

    The folder is the stick's own: a link to another is not followed.
    """
    try:
        if not (to / FOLDER).is_symlink():
            durable.make_folder(to / FOLDER)
        with durable.opened(to / FOLDER) as folder:
            for name, content in files.items():
                durable.replace(folder / name, content)
            durable.sync_folder(to)
            if any(hash_of(folder / name) != sha256(data).hexdigest() for name, data in files.items()):
                raise refusal("no writing", why="what was written is not what can be read")
    except (NotADirectoryError, FileExistsError) as error:
        raise refusal("no folder", name=FOLDER) from error
    except OSError as error:
        raise refusal("no writing", why=error.strerror or str(error)) from error


def bring(stick: Path, known: Path, file: Path, trusted: str = "") -> Brought:
    """Add the notes on a stick to a file of judged questions; `known` is the folder of the boxes' keys.

    A box that is not known is believed when `trusted` is the fingerprint of its key.

    Raises:
        BadInput: there are none, or they were not signed by a box that is known.
    """
    folder = stick / FOLDER if (stick / FOLDER).is_dir() else stick
    try:
        data, signature, public = (Stick(folder).read(n, MOST) for n in (NOTES, SIGNATURE, BOX_PUBLIC))
    except NotThere:
        message = f"There are no notes of a box in {folder}. Export them at the box: appliance update export"
        raise BadInput(message) from None
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public.decode()))
        key.verify(bytes.fromhex(signature.decode()), _PURPOSE + data)
    except (ValueError, InvalidSignature) as error:
        message = f"The notes in {folder} are not what a box signed. Export them again at the box."
        raise BadInput(message) from error
    _know(public, known, trusted)
    before = {str(note.get("id", "")) for note in _lines(file)} if file.is_file() else set()
    try:
        content = json.loads(data)
        notes = [_question(str(content["box"]), dict(note)) for note in content["notes"]]
        new = tuple({note["id"]: note for note in notes if note["id"] not in before}.values())
        lines = "".join(f"{json.dumps(note, ensure_ascii=False)}\n" for note in new).encode()
    except _ODD as error:
        raise BadInput(
            f"The notes in {folder} cannot be read ({type(error).__name__}). Export them again at the box."
        ) from error
    kept = file.read_bytes() if file.is_file() else b""
    if lines:
        durable.replace(file, kept + (b"\n" if kept and not kept.endswith(b"\n") else b"") + lines)
    return Brought(str(content["box"]), len(notes), new)


def closed(library: Library, file: Path) -> tuple[str, ...]:
    """Return the questions of a file of notes that had no answer and are answered by this library."""
    questions = [str(note.get("question", "")) for note in _lines(file) if note.get("note") == "gaps"]
    return tuple(q for q in dict.fromkeys(questions) if q and isinstance(library.ask(q), Grounded))


def _question(box: str, note: dict[str, Any]) -> dict[str, Any]:
    """Return a note as a judged question: what a person found helpful names its own place.

    A place of which the box did not know the page, or what it is, is left for a person to fill in.
    """
    gold = list(note.get("gold", []))
    if note.get("verdict") == "helpful":
        gold = [  # the label as it is printed
            {name: place[name] for name in ("document", "kind", "page")}
            | {"label": str(Label.from_key(place["label"]))}
            for place in note.get("shown", [])[:1]
            if place["page"] and place.get("kind")
        ]
    return note | {"id": f"{box or 'box'}-{note['id']}-{_same(note)}", "gold": gold}


def _same(note: dict[str, Any]) -> str:
    """Return what tells a note from another of its number: a gap asked again is the same gap.

    A saved answer on which somebody wrote since is another.
    """

    def digest(text: str) -> str:
        return sha256(text.encode()).hexdigest()[:12]

    if note.get("note") == "gaps":
        return digest(f"{note['question']}".casefold() + f"\n{note['library']}")
    written = note.get("written") if note.get("note") == "answers" else ""
    return f"{note['request']}-{digest(str(written))}" if written else str(note["request"])


def _know(public: bytes, known: Path, trusted: str) -> None:
    """Refuse the key of a box that nobody has compared; keep the one that somebody has."""
    found = fingerprint(bytes.fromhex(public.decode()))
    path = known / f"{found}.pub"
    if path.is_file():
        return
    if trusted != found:
        raise BadInput(
            f"The box with the key {found} is not known here. Compare this with what the box says (appliance "
            f"update status) and, if it is the same, say: --trust {found}"
        )
    known.mkdir(parents=True, exist_ok=True)
    path.write_bytes(public)


def _lines(file: Path) -> Iterable[dict[str, Any]]:
    return [note for _, note in read_lines(file, lambda line: dict(json.loads(line)), "a judged question")]


ASKED, ANSWERED = "notes-asked", "notes-answered"  # in the home; the units name the first
OURS = PLACES[0]  # where the unit of a box mounts sticks
SECONDS = 90.0  # that an answer is waited for
LOOKS = 0.2


class Word(msgspec.Struct, frozen=True):
    """A word left for the unit, or what came of it: how many notes were written, else why none were."""

    number: str
    notes: int = 0
    words: str = ""


def send(
    at: Home, stick: Path | None = None, *, places: Sequence[str] = PLACES, seconds: float = SECONDS
) -> int:
    """Write the notes to the stick that is named, else to the only one; return how many there are.

    Raises:
        UpdateRefused: there is no stick, or several, or it cannot be written. HomeUnusable, SiteUnusable.
    """
    target = stick or only_stick(places)
    if os.access(target, os.W_OK):
        return export(at, target)
    if not target.match(OURS):
        raise refusal("no writing", why="it is mounted for reading alone")
    # Leave a word for the unit, wait for its answer, and leave nothing behind.
    number, end = secrets.token_hex(8), time.monotonic() + seconds
    try:
        durable.replace(at.path / ASKED, msgspec.json.encode(Word(number)))
        while time.monotonic() < end:
            told = _outbox_read(at.path / ANSWERED)
            if told and told.number == number:
                break
            time.sleep(LOOKS)
        else:
            raise refusal("no writer")
    except OSError as error:
        raise refusal("disk", why=error.strerror or str(error)) from error
    finally:
        for name in (ASKED, ANSWERED):
            durable.remove(at.path / name)
    if told.words:
        raise UpdateRefused("no writing", told.words)
    return told.notes


def only_stick(places: Sequence[str] = PLACES) -> Path:
    """Return where the only stick is mounted, with a bundle on it or without; raises UpdateRefused."""
    found = [path for path in globbed(places) if path.is_mount()]
    if not found:
        raise refusal("no target")
    if len(found) > 1:
        raise refusal("several targets", sticks=", ".join(map(str, found)))
    return found[0]


def answer(at: Home) -> None:
    """Do what a word asks for and leave what came of it; nothing where there is none."""
    asked = _outbox_read(at.path / ASKED)
    durable.remove(at.path / ASKED)
    if asked is None:
        return
    try:
        told = Word(asked.number, export(at, only_stick((OURS,))))
    except ApplianceError as error:
        told = Word(asked.number, words=str(error))
    durable.replace(at.path / ANSWERED, msgspec.json.encode(told))


def _outbox_read(path: Path) -> Word | None:
    try:
        return decode(path.read_bytes(), Word)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
