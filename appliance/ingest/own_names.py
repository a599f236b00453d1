"""Names of documents whose publisher no family knows: "CP 511:2029", told by where they are printed.

Rules of this module: pure; the shapes are data (`data/names.toml`). Such a name is believed only where it
stands in the running heads of most pages, or makes a line of its own in the type of a title on the cover:
capitals before a number mean anything elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from appliance.ingest.page import Line, PageLayout
from appliance.shipped import shipped

MOST = 0.5  # of the pages that have running heads


def own_names(layouts: Sequence[PageLayout], cover: Sequence[Line], large: float) -> Mapping[str, bool]:
    """Return the names, and whether the `cover` gives them; `large` is the type size of a title."""
    headed = [page for page in layouts if page.margins]
    said = [{name for line in page.margins for name in _names_in(line.text)} for page in headed]
    pages = {name: sum(name in names for names in said) for names in said for name in names}
    repeated = {name for name, count in pages.items() if len(headed) > 1 and count > MOST * len(headed)}
    titled = {
        name
        for line in cover
        for name in _names_in(line.text)
        if line.size >= large and name == _plain(line.text)
    }
    on_cover = {name for line in cover for name in _names_in(line.text)}
    return {name: name in on_cover for name in repeated | titled}


def _names_in(text: str) -> Iterator[str]:
    patterns, others = _shapes()
    for pattern in patterns:
        for match in pattern.finditer(text):
            name = _plain(match.group())
            if not others & set(re.findall(r"[A-Z]+", name)):
                yield name


def _plain(text: str) -> str:
    return re.sub(r"\s*([:+])\s*", r"\1", " ".join(text.split()))


@cache
def _shapes() -> tuple[tuple[re.Pattern[str], ...], frozenset[str]]:
    data = shipped("names")
    return tuple(re.compile(pattern) for pattern in data["own"]), frozenset(data["others"])
