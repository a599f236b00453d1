"""What may be a mark of a footnote, an index or a power, as against words that stand a little high.

Rules of this module: pure; a mark has one or two figures or one letter, or is a sign of footnotes, alone,
in brackets or in a list with commas ("2", "(1)", "a,b", "−3", "*"). Words are never marks.
"""

from __future__ import annotations

import re

_ONE = r"(?:[+\-−–]?\d{1,2}|[A-Za-z]\d?|[*†‡§¶#°º′″∗]{1,3})"
_MARK = re.compile(rf",?[(\[]?{_ONE}(?:[)\]]?,?[(\[]?{_ONE})*[)\]]?,?|[,()\[\]+\-−–]")
LONGEST = 12  # characters


def is_mark(text: str) -> bool:
    """Tell whether raised text may be a mark."""
    joined = text.replace(" ", "")
    return len(joined) <= LONGEST and bool(_MARK.fullmatch(joined)) and not _is_word(joined)


def _is_word(text: str) -> bool:
    """Tell whether two letters stand side by side, or more figures than a mark has."""
    return bool(re.search(r"[A-Za-z]{2}|\d{3}", text))
