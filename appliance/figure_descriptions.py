"""Figures described by a vision model where one is installed."""

from __future__ import annotations

import hashlib
import io
import logging

import msgspec
from PIL import Image

from appliance.answer.write.asking import Silent, followed, wrote
from appliance.answer.write.suspicious_text import sentences
from appliance.core.decoding import decode
from appliance.core.document import Figure
from appliance.core.errors import BadInput, GenerationFailed
from appliance.core.jobs import Gone, Watch
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.models.catalogue import load_figure_reader
from appliance.models.llama.service import Turns
from appliance.models.prompts import FigureReader
from appliance.models.protocols import Picture
from appliance.site.gaps_and_feedback import Site

_LOG = logging.getLogger(__name__)
LONGEST_SIDE = 1280  # pixels shown to the model; it makes fewer of them itself
UNUSABLE = "wrote nothing that can be shown beside the figure"
MARK = "Described by a model, not printed in the document"


class Described(msgspec.Struct, frozen=True):
    """What a vision model says of a figure; `left_out` sentences held what is printed nowhere in it."""

    document: str
    key: str
    model: str
    sentences: tuple[str, ...]
    left_out: int = 0
    seconds: float = 0.0

    @property
    def notice(self) -> str:
        """Return what a reader must know besides the mark."""
        if not self.left_out:
            return ""
        told = "1 sentence was" if self.left_out == 1 else f"{self.left_out} sentences were"
        return f"{told} left out: numbers or names that its lettering and caption do not hold."


class Describer:
    """Describes the figures of one library with one vision model."""

    def __init__(self, library: Library, reader: FigureReader, site: Site) -> None:
        self._library, self._reader, self._site = library, reader, site

    @property
    def model(self) -> str:
        return self._reader.name

    def kept(self, document: str, key: str) -> Described | None:
        """Return the description that is kept, None where there is none; raises UnknownPlace."""
        said = self._site.described(self._key(self._library.figure(document, key), document))
        try:
            return decode(said, Described) if said else None
        except msgspec.DecodeError as error:
            _LOG.warning("a kept description is damaged and made again: %s", error)
            return None

    def describe(self, document: str, key: str, watch: Watch | None = None) -> Described:
        """Return the description of a figure, kept or made now.

        Raises:
            UnknownDocument, UnknownPlace: there is no such figure. BadInput: it has no image.
            GenerationFailed: the model cannot be started, failed, or gave nothing that can be shown.
            Gone: nobody waits for it any more.
        """
        figure, watch = self._library.figure(document, key), watch or Watch()
        if (kept := self.kept(document, key)) is not None:
            return kept
        picture = self._picture(document, key)
        watch.stage("figure")
        if watch.stopped:
            raise Gone
        caption = f"{figure.label} {figure.title}"
        finished = followed(self._reader.begin(picture, caption), watch)
        try:
            said = wrote(finished, watch)
            found = sentences(said, f"{caption}\n{figure.text}")
            if found is None or not found.shown:
                raise Silent(UNUSABLE)  # noqa: TRY301 - as every other way of saying nothing
        except Silent as reason:
            raise GenerationFailed(self.model, f"it {reason}") from None
        seconds = finished.first_seconds + finished.writing_seconds
        made = Described(document, key, self.model, found.shown, found.left_out, round(seconds, 2))
        self._site.keep_described(self._key(figure, document), msgspec.json.encode(made).decode())
        return made

    def close(self) -> None:
        """End the process of the model; the library stays open."""
        self._reader.close()

    def _picture(self, document: str, key: str) -> Picture:
        content = self._library.picture(document, key)
        if content is None:
            message = f"{key} of {document} has no page image. Build the library with images to have it read."
            raise BadInput(message)
        with Image.open(io.BytesIO(content)) as image:
            image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            drawn = image.convert("RGB")
        return Picture(drawn.width, drawn.height, drawn.tobytes())

    def _key(self, figure: Figure, document: str) -> str:
        """Return the name of a description: of what is drawn, what is printed and who describes it."""
        pages = [self._library.page(document, box.page).large for box in figure.boxes]
        drawn = "|".join((repr(figure), *pages, self._reader.fingerprint))
        return hashlib.sha256(drawn.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def open_describer(library: Library, settings: Settings, turns: Turns | None = None) -> Describer | None:
    """Return the describer with the vision model of the settings, None where they name none.

    Raises:
        ModelMissing, ModelDamaged, ModelUnusable: with the command that mends it.
    """
    reader = load_figure_reader(settings.models, settings.llm, turns)
    return None if reader is None else Describer(library, reader, library.site)
