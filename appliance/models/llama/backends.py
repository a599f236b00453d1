"""The arithmetic of llama.cpp for the processor at hand."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llama_cpp


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
