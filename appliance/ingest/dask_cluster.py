"""Reading on a Dask cluster: a PDF goes to a worker and is read there as here; its result comes back.

A cluster runs whatever it is sent: its scheduler belongs on a network that the office trusts.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.core.errors import ClusterUnusable, ExtraMissing
from appliance.core.settings import Settings
from appliance.ingest.batch import Job, Place, read_apart, reader_version
from appliance.ingest.structure.schemes import own_schemes
from appliance.ingest.worker import Heard, Workers

LOCAL = "local"  # the address of a cluster of processes on this machine
TRIES = 5  # a PDF whose worker is lost goes to another one so often
PAUSE_S = 1.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sent:
    """What a worker sends back: why the PDF was not read, its artefact and its page images by their names."""

    reason: str
    work: dict[str, bytes] = field(default_factory=dict)
    images: dict[str, bytes] = field(default_factory=dict)


def read_there(
    job: Job, key: str, place: Place, *, content: bytes, schemes: dict[str, bytes], version: str
) -> Sent:
    """Read a PDF on a worker, in a process of its own, with the schemes of the user's folder.

    Raises:
        ImportError: another version of the program is installed here.
    """
    if version != reader_version():
        raise ImportError(name="appliance")
    with TemporaryDirectory(prefix="appliance-") as folder:
        root = Path(folder)
        work, images, own, pdfs = (root / name for name in ("work", "images", "schemes", "pdf"))
        for made in (work, images, own, pdfs):
            made.mkdir()
        for name, text in schemes.items():
            (own / name).write_bytes(text)
        pdf = pdfs / job.path.name
        pdf.write_bytes(content)
        limits = replace(place.settings.ingest, schemes=own if schemes else Path())
        there = replace(place, settings=replace(place.settings, ingest=limits), work=work, images=images)
        reason = read_apart(replace(job, path=pdf), key, there, lambda _: None, _workers())
        kept = ({path.name: path.read_bytes() for path in made.iterdir()} for made in (work, images))
        return Sent(reason, *kept)


_workers = cache(Workers)  # the processes of a worker of the cluster, which read for it as long as it lives


class Cluster:
    """The workers behind a scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address

    @property
    def at_once(self) -> int:
        """Return how many PDFs are sent at once: one is on its way to each thread while it reads another."""
        threads: dict[str, int] = self._client.nthreads()
        return 2 * max(1, sum(threads.values()))

    def read_apart(self, job: Job, key: str, place: Place, _heard: Heard, build: Workers) -> str:
        """Read one PDF on a worker, on another one where that is lost; return why it was not read.

        Raises:
            ClusterUnusable: the scheduler is gone for good, or the workers run another program.
        """
        schemes = {path.name: path.read_bytes() for path in own_schemes(place.settings.ingest.schemes)}
        lost = 0
        while lost < TRIES and self._is_reached(build):
            try:
                task = partial(
                    read_there,
                    *(job, key, place),
                    content=job.path.read_bytes(),
                    schemes=schemes,
                    version=reader_version(),
                )
                sent = self._result(task, build)
            except ImportError as error:
                why = "its workers have not this program in the same version"
                raise ClusterUnusable(self._address, why) from error
            except CancelledError:  # the scheduler has forgotten it, or the build is ended
                continue
            except Exception:  # noqa: BLE001 - however a worker is lost
                _LOG.warning("a worker was lost", exc_info=True)
                lost += 1
                continue
            for folder, files in ((place.images, sent.images), (place.work, sent.work)):
                folder.mkdir(parents=True, exist_ok=True)
                for name, content in files.items():
                    beside = folder / f".{name}.{key}"
                    beside.write_bytes(content)
                    beside.replace(folder / name)
            return sent.reason
        return f"the workers that should read it were lost {TRIES} times"

    def _is_reached(self, build: Workers) -> bool:
        """Wait while the client looks for a scheduler that is started again; tell whether to go on."""
        while self._client.status not in {"running", "closed"} and not build.stopped:
            time.sleep(PAUSE_S)
        if self._client.status == "closed":
            raise ClusterUnusable(self._address, "its scheduler does not answer any more")
        return not build.stopped

    def _result(self, task: Callable[[], Sent], build: Workers) -> Sent:
        """Return what a task gives; raises CancelledError where its scheduler has lost it, or it ends."""
        scheduler = self._client._scheduler_identity.get("id")  # noqa: SLF001 - asking would wait for it
        future = self._client.submit(task, pure=False)
        while True:
            try:
                found: Sent = future.result(timeout=PAUSE_S)
            except TimeoutError:
                other = self._client._scheduler_identity.get("id") != scheduler  # noqa: SLF001 - idem
                if future.done() or other or build.stopped or self._client.status == "closed":
                    raise CancelledError from None
            else:
                return found


@contextmanager
def cluster(address: str, settings: Settings) -> Iterator[Cluster]:
    """Give the cluster at an address of Dask, or one of processes of this machine (`LOCAL`).

    Raises:
        ExtraMissing: Dask is not installed.
        ClusterUnusable: no scheduler answers there, or it has no worker.
    """
    try:
        import dask  # noqa: PLC0415 - an extra of the program
        from distributed import Client, LocalCluster  # noqa: PLC0415 - idem
    except ModuleNotFoundError as error:
        raise ExtraMissing(extra="cluster", package=str(error.name)) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"})  # a task carries its PDF
    with ExitStack() as opened:
        where: Any = address
        if address == LOCAL:
            where = opened.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=settings.ingest.workers or None,
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address="127.0.0.1:0",
                )
            )
        try:
            client = opened.enter_context(Client(where))  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise ClusterUnusable(address, "no scheduler answers there") from error
        try:
            client.wait_for_workers(1, timeout=client._timeout)  # noqa: SLF001
        except TimeoutError as error:
            raise ClusterUnusable(address, "it has no worker") from error
        yield Cluster(client, address)
