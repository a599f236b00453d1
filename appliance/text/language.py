"""The language that a text is written in, told by its commonest words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, islice

from appliance.core.files import shipped

SAMPLE = 20_000  # words that are counted
FEWEST = 60  # words from which a language can be told
SHARE = 0.1  # of the words that are common ones of the language
AHEAD = 1.3  # times as many as of the next language
SYMBOLS = 3  # letters from which a text is more than a symbol or two
_WORD = re.compile(r"[^\W\d_]+")


def language_of(texts: Iterable[str]) -> str:
    """Return the code of the language of the texts ("de"), "" where none can be told."""
    words = chain.from_iterable(_WORD.findall(text.casefold()) for text in texts)
    counts = Counter(islice(words, SAMPLE))
    total = sum(counts.values())
    shares = sorted(
        ((sum(counts[word] for word in common), code) for code, (_, common) in _languages().items()),
        reverse=True,
    )
    (most, code), (next_most, _) = shares[:2]
    told = total >= FEWEST and most >= SHARE * total and most >= AHEAD * next_most
    return code if told else ""


def language_of_few(text: str) -> str:
    """Return the language whose common words alone lead in a short text, "" where none does.

    Where none leads, letters that are of one language alone tell it, then a script that is not Latin the
    first language that is written in it.
    """
    words, script = _WORD.findall(text.casefold()), _script(text)
    written = {code: common for code, (_, common) in _languages().items() if _scripts()[code] == script}
    own = {code: row.get("letters", "") for code, row in shipped("languages").items()}
    return (
        _leading({code: sum(word in common for word in words) for code, common in written.items()})
        or _leading({code: sum(sign in letters for sign in text.casefold()) for code, letters in own.items()})
        or ("" if script == "LATIN" else next(iter(written), ""))
    )


def _leading(counts: Mapping[str, int]) -> str:
    (code, most), (_, next_most) = (*Counter(counts).most_common(2), ("", 0), ("", 0))[:2]
    return code if most > next_most else ""


def likeness(words: Sequence[str]) -> float:
    """Return the share of the words, in lower case, that are common ones of the language that has most."""
    counts = Counter(words)
    most = max(sum(counts[word] for word in common) for _, common in _languages().values())
    return most / max(1, counts.total())


def asking_in(code: str, languages: str) -> str:
    """Return in a language that the documents are in others, by their own names; "" for none."""
    told: str = shipped("languages").get(code, {}).get("ask", "")
    return told.format(languages=languages)


def language_name(code: str) -> str:
    """Return how a language is called in a sentence, its code where it is not known."""
    return _languages().get(code, (code, frozenset()))[0]


def _script(text: str) -> str:
    """Return the script of most letters of a text as Unicode names it; "LATIN" for a few symbols alone."""
    names = Counter(unicodedata.name(sign, "").partition(" ")[0] for sign in text if sign.isalpha())
    (script, letters), *_ = *names.most_common(1), ("LATIN", 0)
    return script if letters >= SYMBOLS else "LATIN"


@cache
def _scripts() -> Mapping[str, str]:
    return {code: _script("".join(common)) for code, (_, common) in _languages().items()}


@cache
def _languages() -> Mapping[str, tuple[str, frozenset[str]]]:
    data = shipped("languages")
    return {code: (row["name"], frozenset(row["words"])) for code, row in data.items()}
