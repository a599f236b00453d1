"""Many PDFs read at once, each in a process that may crash, hang or swell alone; what was read is kept.

A thread waits for each process: of this machine, or of a worker of a cluster (`cluster`), which sends back
what it has written.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path

import msgspec

from appliance.core.document import Document, PageImage
from appliance.core.files import content_hash, data_folder, sha256_of, write_whole
from appliance.core.own_modules import behind
from appliance.core.settings import IngestSettings, Settings
from appliance.ingest.ocr.process import installed
from appliance.ingest.structure.schemes import load_schemes, own_schemes
from appliance.ingest.worker import MIB, Heard, Told, Workers
from appliance.text.lookalikes import language_file

_PACKAGE = Path(__file__).parent
LIBRARIES = ("pymupdf", "rapidocr", "onnxruntime")  # of which another version may read otherwise


class Artefact(msgspec.Struct, frozen=True):
    """One document as read, and its page images."""

    document: Document
    images: tuple[PageImage, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Artefact)


@cache
def reader_version() -> str:
    """Return a hash of the code, libraries, schemes and vocabularies that decide how a PDF is read."""
    code = behind(_PACKAGE.rglob("*.py"))
    names = ("schemes", "schemes/languages", "references", "references/languages", "sentences", "structure")
    folders = [data_folder(), *(data_folder() / name for name in names)]
    data = [path for folder in folders for path in folder.glob("*.toml")]
    libraries = " ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    files = [path for path in (*code, *data, language_file()) if path.is_file()]
    return content_hash(sorted(files), libraries)


def _version(package: str) -> str:
    """Return the version of a package; what is read without it is read again once it is there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def key_of(pdf_sha256: str, document_id: str, *decided_by: object) -> str:
    """Return the name of the artefact; `decided_by` are values whose repr decides the content."""
    parts = (pdf_sha256, document_id, reader_version(), *map(repr, decided_by))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def save(folder: Path, key: str, artefact: Artefact) -> None:
    """Write the artefact."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{key}.msgpack", _ENCODER.encode(artefact))


def load(folder: Path, key: str, images: Path) -> Artefact | None:
    """Return the artefact, or None where it is absent, damaged, or one of its images is gone."""
    path = folder / f"{key}.msgpack"
    try:
        artefact = _DECODER.decode(path.read_bytes())
        os.utime(path)
    except (OSError, msgspec.DecodeError):
        return None
    names = (name for image in artefact.images for name in (image.large, image.phone))
    return artefact if all((images / name).exists() for name in names) else None


@dataclass(frozen=True, slots=True)
class Job:
    """One PDF and the id that its document gets; of a printed web page its own file and its address."""

    path: Path
    document_id: str
    printed_from: Path | None = None
    address: str = ""

    @property
    def source(self) -> Path:
        """Return the file that a person gave."""
        return self.printed_from or self.path


@dataclass(frozen=True, slots=True)
class Done:
    """A document as read; `reused` tells that it was on disk already."""

    job: Job
    document: Document
    images: tuple[PageImage, ...]
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that could not be read, with the reason as a sentence."""

    job: Job
    reason: str

    @classmethod
    def of(cls, job: Job, reason: str) -> Broken:
        """Return that a file was not read, and why."""
        return cls(job, f"{job.source.name} was not read: {reason.rstrip('. ')}.")


Result = Done | Broken
TOLD_EVERY_S = 0.5  # how often the progress is told while nothing ends


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the batch is; bytes are those of the PDF files, `pages` those of documents finished.

    `recognised` of the pages `to_recognise` were read from their pictures.
    """

    documents: int
    documents_total: int
    bytes: int
    bytes_total: int
    pages: int
    running: tuple[str, ...]
    recognised: int = 0
    to_recognise: int = 0


Reader = Callable[[Job, Settings, Path, Told], Artefact]


def read_pdf(job: Job, settings: Settings, images: Path, told: Told) -> Artefact:
    """Read and draw one PDF; `told` learns how many pages it has before the work begins."""
    from appliance.ingest.html.links import with_anchors, with_links  # noqa: PLC0415 - idem
    from appliance.ingest.pdf import rendering as render  # noqa: PLC0415 - only the workers load the PDF library
    from appliance.ingest.pdf.reader import links, named_places  # noqa: PLC0415 - idem
    from appliance.ingest.pipeline import read_document  # noqa: PLC0415 - idem

    pages = render.count_pages(job.path)
    told(pages)
    schemes = load_schemes(settings.ingest.schemes)
    document = read_document(
        job.path,
        job.document_id,
        settings.ingest,
        schemes,
        waiting=partial(told, pages),
        counting=lambda done, total: told(pages, recognised=(done, total)),
        heads=not job.address,
    )
    drawn = render.render(job.path, settings.images, images)
    problems = document.problems + drawn.problems
    if job.address:
        document = with_links(with_anchors(document, named_places(job.path)), links(job.path))
    document = replace(document, problems=problems, address=job.address)
    return Artefact(document, drawn.images)


@dataclass(frozen=True, slots=True)
class Place:
    """Where results go and how they are made: the same for every job of a batch."""

    settings: Settings
    work: Path
    images: Path
    reader: Reader
    schemes: str = ""  # hash of the user's own numbering schemes


Apart = Callable[[Job, str, Place, Heard, Workers], str]


def read_apart(job: Job, key: str, place: Place, heard: Heard, workers: Workers) -> str:
    """Read one PDF in a process apart; return why it was not read, "" where its result is kept."""
    return workers.run(partial(_keep, job, key, place), place.settings.ingest, heard)


def _keep(job: Job, key: str, place: Place, told: Told) -> None:
    save(place.work, key, place.reader(job, place.settings, place.images, told))


def read_many(
    jobs: Sequence[Job],
    settings: Settings,
    work: Path,
    images: Path,
    *,
    progress: Callable[[Progress], None] = lambda _: None,
    reader: Reader = read_pdf,
    apart: Apart = read_apart,
    at_once: int = 0,
) -> Iterator[Result]:
    """Yield one result for each job; artefacts are kept in `work`, page images in `images`.

    Each is read `apart`, so many `at_once`: here, where not said, one for each core or as in the settings.

    Raises:
        BadSettings: a numbering scheme of the user's folder cannot be used.
        ClusterLost: the cluster is gone, or is of no use.
    """
    load_schemes(settings.ingest.schemes)  # a broken one ends the batch before any file is read
    place = Place(settings, work, images, reader, content_hash(own_schemes(settings.ingest.schemes)))
    state = Progress(0, len(jobs), 0, sum(_size(job.path) for job in jobs), 0, ())
    scans: dict[str, tuple[int, int]] = {}  # by file: pages recognised, of how many

    def seen(result: Result) -> Result:
        nonlocal state
        pages = len(result.document.pages) if isinstance(result, Done) else 0
        files, size = state.documents + 1, state.bytes + _size(result.job.path)
        state = replace(state, documents=files, bytes=size, pages=state.pages + pages)
        return result

    waiting: list[tuple[Job, str]] = []
    for job in sorted(jobs, key=lambda job: -_size(job.path)):
        result, key = _without_reading(job, place)
        if result is None:
            waiting.append((job, key))
        else:
            yield seen(result)
    limits = settings.ingest
    at_once = max(1, min(at_once or limits.workers or len(os.sched_getaffinity(0)), len(waiting)))
    place = replace(place, settings=replace(settings, ingest=replace(limits, workers=at_once)))
    left, workers = iter(waiting), Workers()
    running: dict[Future[str], tuple[Job, str]] = {}
    threads = ThreadPoolExecutor(at_once, "reading")
    try:
        while True:
            for job, key in islice(left, at_once - len(running)):
                heard = partial(scans.__setitem__, job.source.name)
                running[threads.submit(apart, job, key, place, heard, workers)] = (job, key)
            # what a file told last stays when it is read
            done, wanted = (sum(counts) for counts in zip(*list(scans.values()), (0, 0), strict=True))
            names = tuple(job.source.name for job, _ in running.values())
            progress(replace(state, running=names, recognised=done, to_recognise=wanted))
            if not running:
                return
            for ended in wait(running, timeout=TOLD_EVERY_S, return_when=FIRST_COMPLETED).done:
                job, key = running.pop(ended)
                reason, kept = ended.result(), None
                if not reason:
                    reason, kept = "its result could not be kept on disk", load(work, key, images)
                yield seen(Done(job, kept.document, kept.images) if kept else Broken.of(job, reason))
    finally:  # none is left running
        workers.stop()
        threads.shutdown(cancel_futures=True)


def unlucky(document: Document) -> bool:
    """Tell whether something was lost that may be read another time, so that the document is read again."""
    return any(problem.passing for problem in document.problems)


def deciding(limits: IngestSettings) -> IngestSettings:
    """Return the settings with those blank that decide nothing of what is read.

    How many work at once does not, nor where the user's schemes lie: what they hold does (`own_schemes`).
    Characters are recognised only where the recogniser is installed.
    """
    return replace(limits, workers=0, ocr_threads=0, schemes=Path(), ocr=limits.ocr and installed())


def _without_reading(job: Job, place: Place) -> tuple[Result | None, str]:
    """Return the result of a file that needs no worker (plain fault, artefact on disk), and its key."""
    path, limits, size = job.path, place.settings.ingest, _size(job.path)
    fault = digest = ""
    if path.is_dir():
        fault = "it is a folder"
    elif not path.is_file():
        fault = "there is no such file"
    elif not size:
        fault = "the file is empty (0 bytes)"
    elif size > limits.file_mib * MIB:
        fault = f"the file has {size // MIB} MiB, the limit is {limits.file_mib}"
    else:
        try:
            digest = sha256_of(path)
        except OSError as error:
            fault = f"the file cannot be opened ({error.strerror})"
    if fault:
        return Broken.of(job, fault), ""
    decided_by = (deciding(limits), place.settings.images, place.schemes, *filter(None, [job.address]))
    key = key_of(digest, job.document_id, *decided_by)
    kept = load(place.work, key, place.images)
    if kept is None or unlucky(kept.document):
        return None, key
    return Done(job, kept.document, kept.images, reused=True), key


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
