"""A vision model as the rest of the program has it: a drawing and its caption in, a description out.

Rules of this module: it joins a generator that sees with the prompt `figure` and decides nothing. What comes
out is a model's word and no text of a document.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from appliance.models.prompts import Prompt, load_prompt
from appliance.models.protocols import Generator, Picture, Writing

PROMPT = "figure"
CAPTION = 400  # characters


class PromptedReader:
    """A `FigureReader` over a generator; `files` are the sha256 of the files of its model."""

    def __init__(self, generator: Generator, files: tuple[str, ...], prompt: Prompt | None = None) -> None:
        self._generator = generator
        self._prompt = prompt or load_prompt(PROMPT)
        self._files = files

    @property
    def name(self) -> str:
        return self._generator.name

    @property
    def fingerprint(self) -> str:
        """What changes whenever its words may."""
        said = "|".join((self.name, self._prompt.version, *self._files))
        return hashlib.sha256(said.encode()).hexdigest()

    def begin(self, picture: Picture, caption: str) -> Writing:
        """Return the description of a drawing, to be iterated; nothing runs before."""
        asked = self._prompt.render({"caption": " ".join(caption.split())[:CAPTION] or "No caption."})
        return self._generator.begin(replace(asked, picture=picture))

    def close(self) -> None:
        """End the model's process."""
        self._generator.close()
