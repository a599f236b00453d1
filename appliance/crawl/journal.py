"""What a crawl has done so far: one line of JSON for each address, so that a killed crawl goes on.

The places still to visit are not written: they follow from the links of the pages in their order.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from appliance.core.decoding import convert
from appliance.core.errors import BadInput, CannotWrite
from appliance.core.files import write_whole

NOW, BEFORE, MANIFEST = "crawl.jsonl", "crawl.before.jsonl", "manifest.json"
Outcome = Literal["page", "pdf", "copy", "moved", "missing", "other", "refused", "failed"]
Change = Literal["new", "changed", "unchanged", ""]
KEPT = frozenset({"page", "pdf"})


@dataclass(frozen=True, slots=True)
class Source:
    """One response that a page is made of, with what tells whether it has changed."""

    address: str
    sha256: str
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """What became of an address.

    `copy` is a page with the words of another, `moved` leads to its one link, `missing` is not there
    (404, 410), `other` is no page or PDF, `refused` is forbidden by robots.txt. `sources` are () where they
    cannot be asked for again. `change` is against the crawl before.
    """

    address: str
    outcome: Outcome
    day: str
    file: str = ""
    sha256: str = ""
    words: str = ""  # the hash of what a page says, whatever its links lead to
    title: str = ""
    links: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    why: str = ""
    change: Change = ""


class Journal:
    """The journal of a folder; `before` are the visits of the last whole crawl, by address."""

    def __init__(self, folder: Path, start: str) -> None:
        self.folder = folder
        self.start = start
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = list(_lines(folder / NOW))
            if lines and lines[0].get("start") != start:
                raise BadInput(
                    f"{folder} holds a crawl of {lines[0].get('start')}. Name another folder with --into."
                )
            ended = bool(lines) and "ended" in lines[-1]
            if ended:
                (folder / NOW).replace(folder / BEFORE)
            self.before = _visits(_lines(folder / BEFORE))
            self.visits = {} if ended else _visits(lines)
            # written anew, whole: what a kill left of its last line is dropped
            rows = [{"start": start}, *map(asdict, self.visits.values())]
            content = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
            write_whole(folder / NOW, content.encode())
        except OSError as error:
            raise CannotWrite(folder, error.strerror or "", "Name another folder with --into.") from error

    def add(self, visit: Visit) -> None:
        """Keep a visit; it is on disk when this returns."""
        self.visits[visit.address] = visit
        self._append(asdict(visit))

    def _append(self, line: dict[str, object]) -> None:
        with (self.folder / NOW).open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line, ensure_ascii=False)}\n")
            file.flush()
            os.fsync(file.fileno())

    def forget(self) -> None:
        """Remove the journal of a crawl that has brought nothing."""
        (self.folder / NOW).unlink()

    def end(self, *, whole: bool) -> tuple[str, ...]:
        """Write the manifest and, after a whole crawl, remove what is there no more; return what is gone."""
        kept = sorted((v for v in self.visits.values() if v.outcome in KEPT), key=lambda v: v.address)
        names = ("address", "file", "day", "title", "sha256")
        rows = [{name: getattr(visit, name) for name in names} for visit in kept]
        manifest = {"start": self.start, "pages": rows}
        write_whole(self.folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1).encode())
        files = {visit.file for visit in self.visits.values()}
        gone = [v for v in self.before.values() if whole and v.outcome in KEPT and v.file not in files]
        for visit in gone:
            (self.folder / visit.file).unlink(missing_ok=True)
        self._append({"ended": True})
        return tuple(visit.address for visit in gone)


def source(address: str, headers: Mapping[str, str], digest: str) -> Source:
    """Return what tells whether a response has changed."""
    return Source(address, digest, headers.get("etag", ""), headers.get("last-modified", ""))


def sha256(content: bytes) -> str:
    """Return the hash by which contents are compared."""
    return hashlib.sha256(content).hexdigest()


def _lines(path: Path) -> Iterator[dict[str, object]]:
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            try:
                value = json.loads(line)
            except ValueError:
                continue  # the last line of a crawl that was killed
            if isinstance(value, dict):
                yield value


def _visits(lines: Iterable[dict[str, object]]) -> dict[str, Visit]:
    visits = (convert(line, Visit) for line in lines if "outcome" in line)
    return {visit.address: visit for visit in visits}
