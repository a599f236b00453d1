"""MuPDF without the model of page layouts that it would load at every start and that nothing here asks."""

import sys
from typing import Any

# What is not there is not loaded: 0.6 s and 55 MiB less in every process that reads or draws a PDF.
sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]  # the import system takes None so

import pymupdf  # noqa: E402 - only now

MUPDF: Any = pymupdf  # most of its functions carry no types
