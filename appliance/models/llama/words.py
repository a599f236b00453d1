"""Text to tokens and tokens to text.

Rules of this module: of data no control token is ever made. llama.cpp leaves control tokens of plain
text alone, but makes "user-defined" ones (such as the tags of thinking) of any text; therefore data is
cut within such a word, and the halves are tokenised apart. Text leaves in whole characters.
"""

from __future__ import annotations

import codecs
import ctypes
import re
from collections.abc import Sequence
from functools import cached_property

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.models.llama.chat import Part
from appliance.models.llama.engine import Engine

_MARKUP = re.compile(r"[<\[(|].*[>\])|]", re.DOTALL)  # looks like a control word
_LONGEST_PIECE = 256


class Words:
    """The vocabulary of a loaded model."""

    def __init__(self, engine: Engine) -> None:
        self._vocabulary = engine.vocabulary
        self._width = engine.width
        self._buffer = ctypes.create_string_buffer(_LONGEST_PIECE)
        words = self._special(llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED)
        self.markup = tuple(word for word in words.values() if len(word) > 1 and _MARKUP.fullmatch(word))
        self._cuts = re.compile("|".join(map(re.escape, sorted(self.markup, key=len, reverse=True))))

    @property
    def begin(self) -> str:
        """The word of the beginning, "" where the model has none."""
        return self._word(llama_cpp.llama_vocab_bos(self._vocabulary))

    @property
    def end(self) -> str:
        """The word of the end, "" where the model has none."""
        return self._word(llama_cpp.llama_vocab_eos(self._vocabulary))

    @cached_property
    def forbidden(self) -> NDArray[np.intp]:
        """Control tokens that would let the model speak as somebody else: all but those that end."""
        control = self._special(llama_cpp.LLAMA_TOKEN_ATTR_CONTROL)
        return np.array([token for token in control if not self.ends(token)], dtype=np.intp)

    def ends(self, token: int) -> bool:
        """Tell whether this token ends the text."""
        return bool(llama_cpp.llama_vocab_is_eog(self._vocabulary, token))

    def prompt(self, parts: Sequence[Part], fixed: int) -> tuple[list[int], int]:
        """Return the tokens of a prompt, and how many of them its first `fixed` parts make."""
        tokens = self.begun(parts[:fixed])
        return tokens + (self.more(parts[fixed:]) if fixed else self.begun(parts)), len(tokens)

    def begun(self, parts: Sequence[Part]) -> list[int]:
        """Return the tokens of parts with which a prompt begins."""
        if not parts or not parts[0].trusted:
            return self.more(parts)
        return self._trusted(parts[0].text, first=True) + self.more(parts[1:])

    def more(self, parts: Sequence[Part]) -> list[int]:
        """Return the tokens of parts that go on."""
        tokens: list[int] = []
        for part in parts:
            tokens += self._trusted(part.text, first=False) if part.trusted else self.data(part.text)
        return tokens

    def data(self, text: str) -> list[int]:
        """Return the tokens of a text in which every word is data."""
        if not self.markup:
            return self._tokens(text, special=False, first=False)
        tokens: list[int] = []
        start = 0
        for match in self._cuts.finditer(text):
            tokens += self._tokens(text[start : match.start() + 1], special=False, first=False)
            start = match.start() + 1
        return tokens + self._tokens(text[start:], special=False, first=False)

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token, none for control tokens."""
        length = llama_cpp.llama_token_to_piece(
            self._vocabulary, token, self._buffer, _LONGEST_PIECE, 0, False
        )
        return self._buffer.raw[: max(0, length)]

    def pieces(self) -> list[bytes]:
        """Return the bytes of all tokens."""
        return [self.piece(token) for token in range(self._width)]

    def _trusted(self, text: str, *, first: bool) -> list[int]:
        adds = bool(llama_cpp.llama_vocab_get_add_bos(self._vocabulary))
        if first and adds and self.begin:
            text = text.removeprefix(self.begin)  # llama.cpp puts it there itself
        return self._tokens(text, special=True, first=first)

    def _tokens(self, text: str, *, special: bool, first: bool) -> list[int]:
        body = text.encode("utf-8", errors="replace")
        if not body and not first:
            return []
        room = len(body) + 8
        array = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self._vocabulary, body, len(body), array, room, first, special)
        return list(array[: max(0, count)])

    def _special(self, attribute: int) -> dict[int, str]:
        """Return the tokens that have an attribute, with their words."""
        return {
            token: self._word(token)
            for token in range(self._width)
            if llama_cpp.llama_vocab_get_attr(self._vocabulary, token) & attribute
        }

    def _word(self, token: int) -> str:
        if token < 0:
            return ""
        return (llama_cpp.llama_vocab_get_text(self._vocabulary, token) or b"").decode("utf-8", "replace")


class Spelling:
    """Bytes of tokens, as they come, to text of whole characters."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def add(self, piece: bytes) -> str:
        """Return the characters that are whole now; the beginning of one waits."""
        return self._decoder.decode(piece)
