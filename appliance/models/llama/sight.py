"""Pictures for a model that sees: a projector turns them into vectors, which stand among its tokens."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp
from llama_cpp import mtmd_cpp

from appliance.models.llama.engine import HEAR, Broken, Engine, LoadFailed
from appliance.models.protocols import Picture

CELLS = 512  # tokens that a picture may take, of a model that lets one choose; about 800 by 640 pixels
BATCH = 640  # cells evaluated at once: models that look at a picture as a whole need it in one piece
_NODES = 32  # of the encoder's graph between two looks at the page

Looked = Callable[[], None]


class Sight:
    """The projector of a loaded model; it lives as long as the engine."""

    def __init__(self, engine: Engine, projector: Path, threads: int) -> None:
        self._engine = engine
        self._nodes = 0
        self._eye = llama_cpp.ggml_backend_sched_eval_callback(self._look)
        mtmd_cpp.mtmd_helper_log_set(HEAR, ctypes.c_void_p(0))
        settings = mtmd_cpp.mtmd_context_params_default()
        settings.use_gpu = settings.print_timings = settings.warmup = False
        settings.n_threads = threads
        settings.image_max_tokens = CELLS
        settings.cb_eval = self._eye
        self._ctx: Any = mtmd_cpp.mtmd_init_from_file(str(projector).encode(), engine.model, settings)
        if not self._ctx:
            raise LoadFailed(f"llama.cpp cannot load {projector.name}", engine.last(""))
        if not mtmd_cpp.mtmd_support_vision(self._ctx):
            raise LoadFailed(f"{projector.name} turns no pictures into tokens")

    @contextmanager
    def laid_out(self, picture: Picture) -> Iterator[Layout]:
        """Yield the picture as the pieces that the model reads; raises Broken."""
        pixels = (ctypes.c_uint8 * len(picture.pixels)).from_buffer_copy(picture.pixels)
        bitmap = mtmd_cpp.mtmd_bitmap_init(picture.width, picture.height, pixels)
        pieces = mtmd_cpp.mtmd_input_chunks_init()
        try:
            part = mtmd_cpp.mtmd_input_part()
            part.bitmap = bitmap
            parts = (ctypes.POINTER(mtmd_cpp.mtmd_input_part) * 1)(ctypes.pointer(part))
            if answer := mtmd_cpp.mtmd_tokenize_from_parts(self._ctx, pieces, parts, 1, False):
                raise Broken(f"the picture cannot be cut into pieces ({answer})")
            yield Layout(self._engine, self._ctx, pieces)
        finally:
            mtmd_cpp.mtmd_input_chunks_free(pieces)
            mtmd_cpp.mtmd_bitmap_free(bitmap)

    def close(self) -> None:
        mtmd_cpp.mtmd_free(self._ctx)

    def _look(self, _node: Any, asked: bool, _data: Any) -> bool:
        """Be shown the nodes of the encoder's graph; False after one that was asked for ends it."""
        page = self._engine.page
        if not asked:
            page.beat()
            return not page.stop
        self._nodes += 1
        return self._nodes % _NODES == 0


class Layout:
    """A picture in pieces: words of the model around it, and its cells."""

    def __init__(self, engine: Engine, ctx: Any, pieces: Any) -> None:
        self._engine, self._ctx = engine, ctx
        count = mtmd_cpp.mtmd_input_chunks_size(pieces)
        every = [mtmd_cpp.mtmd_input_chunks_get(pieces, at) for at in range(count)]
        self._pieces = [(piece, _words(piece)) for piece in every]

    @property
    def cells(self) -> int:
        """Tokens that it takes of the context."""
        return sum(
            mtmd_cpp.mtmd_input_chunk_get_n_tokens(piece) if words is None else len(words)
            for piece, words in self._pieces
        )

    def evaluate(self, told: Looked) -> None:
        """Evaluate it after the past, `told` after each piece; raises Stopped, Broken."""
        for piece, words in self._pieces:
            if words is None:
                self._see(piece)
            elif words:
                self._engine.evaluate(words)
            told()

    def _see(self, piece: Any) -> None:
        """Encode a piece of the picture and evaluate its cells."""
        engine, after = self._engine, llama_cpp.llama_pos(0)
        cells = mtmd_cpp.mtmd_input_chunk_get_n_tokens(piece)
        if mtmd_cpp.mtmd_decode_use_non_causal(self._ctx, piece) and cells > engine.batch:
            raise Broken(f"it reads a picture as {cells} cells at once, and {engine.batch} are possible")
        answer = mtmd_cpp.mtmd_encode_chunk(self._ctx, piece)
        if answer or engine.page.stop:
            engine.give_up(answer, "mtmd_encode_chunk")
        answer = mtmd_cpp.mtmd_helper_decode_image_chunk(
            self._ctx,
            engine.ctx,
            piece,
            mtmd_cpp.mtmd_get_output_embd(self._ctx),
            engine.position,
            0,
            engine.batch,
            ctypes.byref(after),
            mtmd_cpp.mtmd_helper_post_decode_callback(),
            None,
        )
        if answer:
            engine.give_up(answer, "mtmd_helper_decode_image_chunk")
        engine.saw(cells, after.value - engine.position)


def _words(piece: Any) -> list[int] | None:
    """Return the tokens of words around a picture, none where the model has none; None for its cells."""
    if mtmd_cpp.mtmd_input_chunk_get_type(piece) != mtmd_cpp.MTMD_INPUT_CHUNK_TYPE_TEXT:
        return None
    count = ctypes.c_size_t(0)
    array = mtmd_cpp.mtmd_input_chunk_get_tokens_text(piece, ctypes.byref(count))
    tokens = (int(array[at]) for at in range(count.value))
    return [token for token in tokens if token >= 0]  # -1 is a word that the vocabulary lacks
