"""A library becomes a bundle: signed metadata, files named by their sha256, golden questions."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TypeVar

import msgspec
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, MetaFile, Snapshot, TargetFile, Targets, Timestamp

import appliance
from appliance.core.document import Document
from appliance.core.errors import ApplianceError, BadInput
from appliance.core.files import images_folder, read_lines
from appliance.library import Library
from appliance.quality.review import review_file
from appliance.store.connection import SCHEMA_VERSION
from appliance.store.read import Store
from appliance.update import durable
from appliance.update.intake import delta
from appliance.update.intake.program import OWN, WHEELS, is_wheel, unpacked_size, wheels_in
from appliance.update.intake.stick import BUNDLE
from appliance.update.keys import NEVER, Keys, root_files, signed
from appliance.update.trial.run import finds
from appliance.update.values import (
    FORMAT,
    IMAGES,
    LIBRARY,
    MODELS,
    RELEASE,
    REVIEW,
    Golden,
    Loaded,
    Pack,
    Release,
)

ROOM = 0.95  # of what is free on the stick, that a bundle may take
LAST = "last.json"  # in the folder of keys: the version that was signed last
README = """This folder is an update for a box. Copy the whole folder CODES-UPDATE onto a stick, plug it
into the box, and say there: appliance update check
"""


@dataclass(frozen=True, slots=True)
class Content:
    """What goes into a bundle."""

    library: Path
    models: Path | None = None
    golden: tuple[Golden, ...] = ()
    box: str = ""
    notes: str = ""
    closes: tuple[str, ...] = ()
    program: Path | None = None  # a folder of wheels


@dataclass(frozen=True, slots=True)
class Made:
    """A bundle that was written: where, its version, bytes on the stick by kind, what was left off."""

    folder: Path
    version: int
    sizes: dict[str, int] = field(default_factory=dict)
    left_off: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A signed file: its name on the box, and where its bytes are until they are on the stick."""

    name: str
    source: Path | bytes

    def target(self) -> TargetFile:
        if isinstance(self.source, bytes):
            return TargetFile.from_data(self.name, self.source, ["sha256"])
        return TargetFile.from_file(self.name, str(self.source), ["sha256"])


def create(content: Content, keys: Keys, to: Path, base: Path | None = None, *, small: bool = False) -> Made:
    """Write the bundle below `to`; `base` is the folder of the bundle before, from which patches start.

    Files that `base` has too are left off where `small` asks for it or the place is too small.

    Raises:
        BadInput: the library, the keys or the place cannot be used.
    """
    if len(keys.of(Targets.type)) < keys.root.signed.roles[Targets.type].threshold:
        message = f"No key that signs bundles is at hand in {keys.folder}. Name its place with: --with PLACE"
        raise BadInput(message)
    with _alone(keys):
        before = _read_base(base)
        version = max(last_version(keys), before.version if before else 0) + 1
        beside, place = to / f"{BUNDLE}{durable.UNFINISHED}", to / BUNDLE
        try:
            to.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(beside, ignore_errors=True)
            (beside / "targets").mkdir(parents=True)
            sizes, left_off = _write(content, keys, beside, version, before, small=small)
            durable.sync_all(beside)
            durable.replace(keys.folder / LAST, msgspec.json.encode({"version": version}))
            shutil.rmtree(place, ignore_errors=True)
            beside.rename(place)
            durable.sync_all(to)
        except OSError as error:
            message = f"{to} cannot be written ({error.strerror or error}). Name another place with: --to DIR"
            raise BadInput(message) from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        return Made(place, version, sizes, left_off)


@contextmanager
def _alone(keys: Keys) -> Iterator[None]:
    """Be the only one who signs with these keys, so that no two bundles have one number; waits."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows, where two at once are not told apart
    except ImportError:
        yield
        return
    with (keys.folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def last_version(keys: Keys) -> int:
    """Return the version that these keys signed last, 0 for none; raises BadInput."""
    path = keys.folder / LAST
    try:
        return int(msgspec.json.decode(path.read_bytes())["version"]) if path.is_file() else 0
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        message = f'{path} cannot be read. Write the number of the newest bundle into it: {{"version": N}}'
        raise BadInput(message) from error


def _write(
    content: Content, keys: Keys, folder: Path, version: int, base: _Base | None, *, small: bool
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Lay the files down and sign them; return the bytes by kind, and what was left off."""
    targets = {part.name: (part, part.target()) for part in _parts(content, version, folder, base)}
    lengths = {name: target.length for name, (_, target) in targets.items()}
    fits = sum(lengths.values()) < shutil.disk_usage(folder).free * ROOM
    left: set[str] = set()
    if base is not None and (small or not fits):  # a box that has the version before can do without these
        left = {name for name, (_, target) in targets.items() if target.hashes["sha256"] in base.files}
        if f"{LIBRARY}.from-{base.sha256[:16]}.patch" in targets:
            left.add(LIBRARY)
        left -= {RELEASE, IMAGES}
    sizes: dict[str, int] = {}
    for name, (part, target) in targets.items():
        source, path = part.source, folder / "targets" / target.hashes["sha256"]
        made_here = isinstance(source, Path) and source.is_relative_to(folder)
        if name in left:
            if isinstance(source, Path) and made_here:
                source.unlink()
            continue
        kind = name.partition("/")[0]
        sizes[kind] = sizes.get(kind, 0) + target.length
        if path.exists():
            continue
        if isinstance(source, bytes):
            path.write_bytes(source)
        elif made_here:
            source.rename(path)
        else:
            shutil.copyfile(source, path)
    _metadata(keys, folder, version, [target for _, target in targets.values()])
    (folder / "README.txt").write_text(README, encoding="utf-8")
    return sizes, tuple(sorted(left))


def _parts(content: Content, version: int, folder: Path, base: _Base | None) -> Iterator[_Part]:
    yield _Part(LIBRARY, content.library)
    if review_file(content.library).is_file():
        yield _Part(REVIEW, review_file(content.library))
    yield from _patch(content.library, base)
    wheels = _wheels(content.program, base, folder)
    yield from (_Part(f"{WHEELS}/{name}", path) for name, path in wheels.items())
    with Store(content.library) as store:
        images = list(_packs(store, images_folder(content.library), folder))
        release = Release(
            format=FORMAT,
            version=version,
            box=content.box,
            program=next((n.split("-")[1] for n in wheels if n.split("-")[0] == OWN), appliance.__version__),
            schema=SCHEMA_VERSION,
            library=store.version,
            documents=tuple(
                Loaded(info.id, info.designation, info.title, info.edition, info.status)
                for info in store.documents()
            ),
            golden=content.golden,
            notes=content.notes,
            closes=content.closes,
            unpacked=unpacked_size(wheels.values()),
            base=base.version if base else 0,
        )
    yield from (_Part(pack.name, folder / Path(pack.name).name) for pack in images)
    yield from _models(content.models)
    yield _Part(IMAGES, msgspec.json.encode(images))
    yield _Part(RELEASE, msgspec.json.format(msgspec.json.encode(release), indent=1))


def _wheels(program: Path | None, base: _Base | None, folder: Path) -> Mapping[str, Path]:
    """Return the wheels of the program by name: those given, else those of the bundle before.

    A box whose bundle brought a program goes back to the installed one with the next that brings none.
    """
    if program is not None:
        return {path.name: path for path in wheels_in(program)}
    taken: dict[str, Path] = {}
    for name, path in (base.wheels if base else {}).items():
        if not path.is_file():
            message = f"The program {name} is not in the bundle before. Name its wheels with: --program DIR"
            raise BadInput(message)
        taken[name] = folder / name
        shutil.copyfile(path, taken[name])
    return taken


def _packs(store: Store, images: Path, folder: Path) -> Iterator[Pack]:
    """Write the page images of each document one after the other into a file; raises BadInput."""
    done: set[str] = set()
    for number, info in enumerate(store.documents()):
        pages = store.pages(info.id)
        named = dict.fromkeys(name for page in pages for name in (page.large, page.phone) if name)
        names = [name for name in named if name not in done]
        done.update(names)
        with (folder / f"{number:04}.pack").open("wb") as file:
            lengths = []
            for path in (images / name for name in names):
                try:
                    content = path.read_bytes()
                except OSError as error:
                    raise BadInput(
                        f"The page image {path} cannot be read ({error.strerror}). Build the library again."
                    ) from error
                if hashlib.sha256(content).hexdigest() != path.stem:
                    raise BadInput(f"The page image {path} is damaged. Build the library again.")
                lengths.append((path.name, file.write(content)))
        yield Pack(f"images/{number:04}.pack", tuple(lengths))


def _models(folder: Path | None) -> Iterator[_Part]:
    """Yield the files of a folder of models; hidden files and links stay behind."""
    for path in sorted(folder.rglob("*")) if folder else []:
        parts = path.relative_to(folder or path).parts
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in parts):
            yield _Part("/".join((MODELS, *parts)), path)


@dataclass(frozen=True, slots=True)
class _Base:
    """The bundle before: its version, the files that it has, its library."""

    version: int
    files: frozenset[str]
    library: Path
    sha256: str
    wheels: Mapping[str, Path]


def _read_base(folder: Path | None) -> _Base | None:
    """Return what a patch may start from; raises BadInput for what is no whole bundle of ours."""
    if folder is None:
        return None
    place = folder / BUNDLE if (folder / BUNDLE).is_dir() else folder
    try:
        newest = max(
            (place / "metadata").glob("*.targets.json"), key=lambda path: int(path.name.split(".")[0])
        )
        listed = Metadata[Targets].from_file(str(newest)).signed
        sha256 = listed.targets[LIBRARY].hashes["sha256"]
        files = frozenset(target.hashes["sha256"] for target in listed.targets.values())
        library = place / "targets" / sha256
        if library.is_file() and TargetFile.from_file(LIBRARY, str(library)).hashes["sha256"] == sha256:
            places = {name: place / "targets" / at.hashes["sha256"] for name, at in listed.targets.items()}
            wheels = {name.rpartition("/")[2]: path for name, path in places.items() if is_wheel(name)}
            return _Base(listed.version, files, library, sha256, wheels)
        why = "its library is not in it"
    except (ValueError, KeyError, OSError, RepositoryError) as error:
        why = str(error) or type(error).__name__
    raise BadInput(f"{folder} is no whole bundle to start from ({why}). Name another, or leave --since away.")


def _patch(library: Path, base: _Base | None) -> Iterator[_Part]:
    """Yield the patch from the library before, where it is worth it."""
    if base is None or max(library.stat().st_size, base.library.stat().st_size) > delta.MOST:
        return
    new = library.read_bytes()
    patch = delta.make_patch(base.library.read_bytes(), new)
    if len(patch) < len(new) // 2:
        yield _Part(f"{LIBRARY}.from-{base.sha256[:16]}.patch", patch)


def _metadata(keys: Keys, folder: Path, version: int, targets: Iterable[TargetFile]) -> None:
    """Sign the list of files, and lay all roots beside it so that a box far behind can follow."""
    place = folder / "metadata"
    place.mkdir()
    for path in root_files(keys.folder):
        shutil.copyfile(path, place / path.name)
    listed = Targets(version, expires=NEVER, targets={target.path: target for target in targets})
    content = {f"{version}.targets.json": signed(listed, keys.of(Targets.type))}
    meta = MetaFile.from_data(version, content[f"{version}.targets.json"], ["sha256"])
    snapshot = Snapshot(version, expires=NEVER, meta={"targets.json": meta})
    content[f"{version}.snapshot.json"] = signed(snapshot, keys.of(Snapshot.type))
    meta = MetaFile.from_data(version, content[f"{version}.snapshot.json"], ["sha256"])
    timestamp = Timestamp(version, expires=NEVER, snapshot_meta=meta)
    content["timestamp.json"] = signed(timestamp, keys.of(Timestamp.type))
    for name, data in content.items():
        (place / name).write_bytes(data)


Item = TypeVar("Item")
MOST = 20
WITHIN = 10
TRIED = 5  # candidates put for each question that is kept
_WORDS = range(2, 13)  # of a title that reads as a question


def golden_questions(library: Library, judged: Path | None = None, most: int = MOST) -> tuple[Golden, ...]:
    """Return questions whose places the library finds among the first ones; raises BadInput."""
    own = _in_turn(_of_document(library.document(info.id)) for info in library.documents())
    candidates = chain(_judged(judged, library) if judged else (), own)
    found: list[Golden] = []
    for item in islice(dict.fromkeys(candidates), most * TRIED):
        with suppress(ApplianceError):
            if len(found) < most and finds(library, item):
                found.append(item)
    return tuple(found)


def _of_document(document: Document) -> Iterator[Golden]:
    """Yield candidates, those from all over the document first and each kind in turn."""
    tables = [(table.title, table.label.key) for table in document.tables]
    clauses = [(clause.title, clause.label.key) for clause in document.clauses if clause.kind != "front"]
    for item in _in_turn([_spread(clauses), _spread(tables)]):
        title = " ".join(item[0].split()).rstrip(".:")
        if len(title.split()) in _WORDS:
            yield Golden(title, document.id, item[1], WITHIN)


def _spread(found: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield all items, in an order whose every beginning is spread over the whole list."""
    steps = [1 << power for power in range(len(found).bit_length(), -1, -1)]
    return (found[place] for place in dict.fromkeys(n for step in steps for n in range(0, len(found), step)))


def _in_turn(lists: Iterable[Iterable[Item]]) -> Iterator[Item]:
    return (item for row in zip_longest(*lists) for item in row if item is not None)


def _judged(path: Path, library: Library) -> Iterator[Golden]:
    """Yield the questions of a file of judged questions (one JSON object a line) that name a place of it.

    The place is named as it is printed or by its key.
    """

    def read(line: str) -> tuple[str, list[tuple[str, str]]]:
        row = json.loads(line)
        return str(row["question"]), [(str(gold["document"]), str(gold["label"])) for gold in row["gold"]]

    for _, (question, places) in read_lines(path, read, "a judged question"):
        for name, label in places[:1]:
            with suppress(ApplianceError):
                document = library.document(name)
                labels = [clause.label for clause in document.clauses]
                labels += [table.label for table in document.tables]
                if key := next((found.key for found in labels if label in {found.key, str(found)}), ""):
                    yield Golden(question, name, key, WITHIN)
