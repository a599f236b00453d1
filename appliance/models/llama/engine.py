"""A model and its context: text to tokens and back, evaluation, scores of the next token."""

from __future__ import annotations

import ctypes
import re
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Never

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.models.llama.chat import Part
from appliance.models.llama.wire import Page

BATCH = 128  # tokens evaluated at once: a sign of life with each, and the same speed as 512 on few cores
SEEN = -1  # stands in the past for each cell of a picture
ABORTED = 2  # of llama_decode
Scores = NDArray[np.float32]


class LoadFailed(Exception):
    """The file cannot be loaded: a sentence why, and the last thing that llama.cpp said, for the log."""


class Stopped(Exception):
    """The page said stop while tokens were evaluated; nothing evaluated remains."""


class Broken(Exception):
    """llama.cpp could not evaluate; the text says why."""


def _hear(level: int, text: bytes, _data: Any) -> None:
    """Keep the last errors that the library says (levels 3 and 4: warning, error)."""
    if level >= 3 and text:
        _SAID.append(text.decode("utf-8", errors="replace").strip())


_SAID: deque[str] = deque(maxlen=5)
HEAR = llama_cpp.llama_log_callback(_hear)  # of the module: the library calls it as long as it is loaded


def load_backends() -> int:
    """Load what suits this processor best, where nothing is loaded yet; return how many there are then."""
    folder = Path(llama_cpp.__file__).parent / "lib"
    file = folder / "libggml.so"
    if not file.exists():  # another system, or another way of building
        return -1
    library = ctypes.CDLL(str(file))  # the one that llama_cpp has loaded from this very path
    library.ggml_backend_reg_count.restype = ctypes.c_size_t
    if not library.ggml_backend_reg_count():
        library.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
        library.ggml_backend_load_all_from_path(str(folder).encode())
    return int(library.ggml_backend_reg_count())


class Engine:
    """A loaded model with a context of `context` tokens, of which `batch` are evaluated at once."""

    def __init__(self, path: Path, context: int, threads: int, page: Page, batch: int = BATCH) -> None:
        self.page = page
        self.batch = batch
        self.past: list[int] = []
        self._ahead = 0  # of the length of the past, the position of the next token
        _SAID.clear()
        llama_cpp.llama_log_set(HEAR, ctypes.c_void_p(0))
        load_backends()
        llama_cpp.llama_backend_init()
        settings = llama_cpp.llama_model_default_params()
        settings.n_gpu_layers = 0
        self.model: Any = llama_cpp.llama_model_load_from_file(str(path).encode(), settings)
        if not self.model:
            raise LoadFailed("llama.cpp cannot load it", self.last(""))
        self.vocabulary: Any = llama_cpp.llama_model_get_vocab(self.model)
        self.width = int(llama_cpp.llama_vocab_n_tokens(self.vocabulary))
        trained = int(llama_cpp.llama_model_n_ctx_train(self.model))
        used = llama_cpp.llama_context_default_params()
        used.n_ctx = min(context, trained) if trained > 0 else context
        used.n_batch = used.n_ubatch = batch
        used.n_threads = used.n_threads_batch = threads
        used.no_perf = True
        self.ctx: Any = llama_cpp.llama_init_from_model(self.model, used)
        if not self.ctx:
            raise LoadFailed(f"there is no memory for a context of {context} tokens", self.last(""))
        self.context = int(llama_cpp.llama_n_ctx(self.ctx))
        self._memory: Any = llama_cpp.llama_get_memory(self.ctx)
        # It aborts where this is not 0: the length of the text that begins with byte 0 of the page.
        function = ctypes.cast(ctypes.CDLL(None).strlen, llama_cpp.ggml_abort_callback)
        llama_cpp.llama_set_abort_callback(self.ctx, function, ctypes.c_void_p(page.address()))
        asked = (
            "is_recurrent",
            "is_hybrid",
            "n_swa",
        )  # a model of these cannot go on from a part of its past
        self.keeps = not any(getattr(llama_cpp, f"llama_model_{name}")(self.model) for name in asked)

    @staticmethod
    def library() -> str:
        """Return which library this is: its states are read by no other."""
        return f"{llama_cpp.__version__}/{llama_cpp.llama_version().decode()}"

    def threads(self, number: int) -> None:
        llama_cpp.llama_set_n_threads(self.ctx, number, number)

    def evaluate(self, tokens: Sequence[int]) -> None:
        """Evaluate tokens after those of the past, at most BATCH of them.

        Raises:
            Stopped, Broken: the past is empty then.
        """
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        batch = llama_cpp.llama_batch_get_one(array, len(tokens))
        if self._ahead:
            at = self.position
            batch.pos = (llama_cpp.llama_pos * len(tokens))(*range(at, at + len(tokens)))
        if answer := llama_cpp.llama_decode(self.ctx, batch):
            self.give_up(answer, "llama_decode")
        self.past += tokens
        self.page.beat()

    @property
    def position(self) -> int:
        return len(self.past) + self._ahead

    def saw(self, cells: int, positions: int) -> None:
        """Count a picture that was evaluated after the past."""
        self.past += [SEEN] * cells
        self._ahead += positions - cells
        self.page.beat()

    def give_up(self, answer: int, what: str) -> Never:
        """Forget what was begun and raise Stopped, or Broken with what the library said."""
        self.forget()
        if answer == ABORTED or self.page.stop:
            raise Stopped
        message = self.last(f"{what} returned {answer}")
        raise Broken(message)

    def scores(self) -> Scores:
        """Return the score of each token [width] as the next one: a view that the next evaluation changes."""
        pointer = llama_cpp.llama_get_logits_ith(self.ctx, -1)
        return np.ctypeslib.as_array(pointer, shape=(self.width,))

    def forget(self) -> None:
        llama_cpp.llama_memory_clear(self._memory, False)
        self.past = []
        self._ahead = 0

    def cut(self, length: int) -> bool:
        """Keep only the first tokens of the past; False where this model cannot, and nothing is kept."""
        if length >= len(self.past):
            return True
        before = SEEN not in self.past[:length]  # then the position of a token is its place in the past
        if self.keeps and before and llama_cpp.llama_memory_seq_rm(self._memory, 0, length, -1):
            del self.past[length:]
            self._ahead = 0
            return True
        self.forget()
        return False

    def save(self, path: Path) -> int:
        """Write the state of the past to a file; return its bytes, 0 where it could not be written."""
        array = (llama_cpp.llama_token * len(self.past))(*self.past)
        return int(
            llama_cpp.llama_state_seq_save_file(self.ctx, str(path).encode(), 0, array, len(self.past))
        )

    def load(self, path: Path, tokens: Sequence[int]) -> bool:
        """Take the state of exactly these tokens from a file; False where it holds another."""
        self.forget()
        array = (llama_cpp.llama_token * len(tokens))()
        count = ctypes.c_size_t(0)
        size = llama_cpp.llama_state_seq_load_file(
            self.ctx, str(path).encode(), 0, array, len(tokens), ctypes.byref(count)
        )
        if not size or list(array[: count.value]) != list(tokens):
            self.forget()
            return False
        self.past = list(tokens)
        self.page.beat()
        return True

    def close(self) -> None:
        llama_cpp.llama_free(self.ctx)
        llama_cpp.llama_model_free(self.model)

    def last(self, otherwise: str) -> str:
        """Return the last thing that the library complained of."""
        return _SAID[-1][:300] if _SAID else otherwise


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
