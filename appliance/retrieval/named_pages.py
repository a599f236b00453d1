"""The pages that a question names by number: "page 34", "pages 12 to 14", "p. iv".

Rules of this module: pure; the words for pages, and those between two of them, are the lexicon's.
"""

from __future__ import annotations

import re

from appliance.retrieval.lexicon import Lexicon
from appliance.store.words import fold

MOST_PAGES = 20  # pages that "pages 10 to 14" may stand for


def asked_pages(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the pages that a question names by number: "page 34", "pages 12 to 14", "p. iv"."""
    said = "|".join(
        rf"{re.escape(word)}(?=[. ]?\d|\. ?[ivxlc])" if len(word) == 1 else re.escape(word)
        for word in sorted(lexicon.page_words, key=len, reverse=True)
    )
    between = "|".join(rf"\b{re.escape(word)}\b" if word.isalpha() else re.escape(word)
                       for word in sorted(lexicon.spanning))  # fmt: skip
    number = r"(\d{1,4}|[ivxlc]{1,7})"
    joint = (
        rf"(?:\s?(?:{'|'.join(map(re.escape, sorted(lexicon.spanning | lexicon.joining)))}|,)\s?{number})?"
    )
    found: dict[str, None] = {}
    for match in re.finditer(rf"\b(?:{said})\.? ?{number}\b{joint}(?![\w.]\d)", fold(text)):
        first, last = match[1], match[2]
        spans = bool(last) and re.search(between, match.group()) is not None
        if spans and first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < MOST_PAGES:
            found.update(dict.fromkeys(map(str, range(int(first), int(last) + 1))))
        else:
            found.update(dict.fromkeys(filter(None, (first, last))))
    return tuple(found)
