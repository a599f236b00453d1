"""Text to index terms and stems: words, and labels, designations, symbols and units whole and split."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from appliance.text.lookalikes import folded
from appliance.text.numbers import with_degrees

MARK = "\ue000"  # before a term that the tokenizer must take as it is; never left in user text

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu",
    "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip


class _Signs(dict[int, int | str | None]):
    """What stands for a character of a decomposed text: a sign made plain, nothing for an accent."""

    def __missing__(self, code: int) -> int | None:
        self[code] = kept = None if unicodedata.combining(chr(code)) else code
        return kept


_PLAIN: dict[str, int | str | None] = {
    **_GREEK, "⁄": "/", "−": "-", "‐": "-", "‑": "-", "–": "-", "—": "-", MARK: " ",
}  # fmt: skip
_SIGNS = _Signs(str.maketrans(_PLAIN))

_WORD = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+\d*")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_DIGIT = re.compile(r"\d")
_DIGITS = r"[0-9l|io]*\d[0-9l|io]*"
_NUMBERED = re.compile(
    rf"""
    (?<!/[^\W\d_])                                                 # not the 2 of "kn/m2"
    (?P<number>{_DIGITS}(?:[.-][0-9a-z]{{1,5}}|,[l|io](?![^\W_]))*  # "1991-1-3", "4.2", "5,l"
       (?:\([0-9a-z|]{{1,4}}\))*)                                   # "(7)", "(b)"
    (?P<unit>\ ?[^\W\d_°%]{{1,4}}(?:/[^\W\d_]{{1,2}}[23]?)?(?![^\W_]))?  # " kn/m2"
    """,
    re.VERBOSE,
)
# the "na.a" of "na.a1.2", the "k" of "k1"
_GLUED = re.compile(r"(?<![^\W_])(?:[^\W\d_]{1,3}\.)*[^\W\d_]{0,3}$")
# "table ", "bs en ", "fig. ", "§ "
_BEFORE = re.compile(r"(?<![^\W_])(?:[^\W\d_]{1,12}[ .-]{1,2}|§{1,2} ?){1,3}$")
_REACH = 40  # characters before a number in which its words stand
_SYMBOL = re.compile(r"[^\W\d_]+(?:_\{?[^\W_]+\}?)+|[^\W\d_]{1,4}/[^\W\d_]{1,2}[23]?")


def fold(text: str) -> str:
    """Return the text in lower case without accents, with Greek letters spelt and signs made plain."""
    if text.isascii():
        plain = text.lower()
        return _DECIMAL_COMMA.sub(".", plain) if "," in plain else plain
    decomposed = unicodedata.normalize("NFKD", with_degrees(text)).casefold()
    decomposed = unicodedata.normalize("NFKD", decomposed)
    return _DECIMAL_COMMA.sub(".", decomposed.translate(_SIGNS))


def words(text: str) -> list[str]:
    """Return the folded words and numbers of the text in order, not yet stemmed."""
    return _WORD.findall(fold(text))


def unconfuse(name: str) -> str:
    """Return a name as it reads when l and 1, O and 0, rn and m cannot be told apart."""
    for seen, printed in folded().items():
        name = name.replace(seen, printed)
    return name


def fold_label(text: str) -> str:
    """Return the one form of a printed label: "Tabie 4,2" and "Table 4.2." are the same.

    The mark of a rule for buildings goes, "(1)B"; a small letter is an item.
    """
    text = re.sub(r"(?<=\))\s?[BP]{1,2}\s*$", "", text)
    plain = re.sub(r"(?<=[^\W\d])[.-]+|[\s_]+", "", fold(text)).strip(".-:;,").replace(",", ".")
    return unconfuse(re.sub(r"(?<=\))p$", "", plain))


@dataclass(frozen=True, slots=True)
class Name:
    """A number with what stands beside it: the words before ("table"), the unit after ("kn/m2").

    Letters that are glued to the number belong to it ("k1", "na.a1.2", "en1991-1-3").
    """

    words: tuple[str, ...]
    number: str
    unit: str

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the folded forms under which it is found, the longest first, the parts last."""
        wholes = ["".join((*self.words[start:], self.number)) for start in range(len(self.words))]
        bare = re.sub(r"^[^\W\d_.]+(?=.*[.-])|^(?:[^\W\d_]+\.)+", "", self.number)
        parts = [part for part in (self.number, bare) if re.search(r"\D", part)]
        number = self.number
        while re.search(r"\([^()]*\)$", number):
            number = number[: number.rindex("(")]
            parts.append(number)
        if self.unit:
            parts.append(self.number + self.unit)
        return tuple(dict.fromkeys(fold_label(form) for form in (*wholes, *parts) if len(form) > 1))


def numbered(text: str) -> list[Name]:
    """Return every number of the text with its neighbours, in order."""
    return _numbered(fold(text))


def _numbered(folded: str) -> list[Name]:
    """Return the numbers of a folded text; one without a digit is not looked through."""
    names = []
    for match in _NUMBERED.finditer(folded) if _DIGIT.search(folded) else ():
        start = match.start()
        head = folded[max(start - _REACH, 0) : start]
        glued = found.group() if (found := _GLUED.search(head)) else ""
        before = _BEFORE.search(head[: len(head) - len(glued)])
        words = tuple(re.findall(r"[^\W\d_]+|§", before.group())) if before else ()
        names.append(Name(words, glued + match["number"].rstrip(".-"), (match["unit"] or "").strip()))
    return names


def names(text: str) -> list[str]:
    """Return the labels, designations, values with units and symbols in the text, whole and in parts."""
    plain = fold(text)
    found = dict.fromkeys(form for name in _numbered(plain) for form in name.forms)
    if "_" in plain or "/" in plain:  # else no symbol can be there
        for match in _SYMBOL.finditer(plain):
            found[re.sub(r"[_{}]", "", match.group())] = None
    return list(found)


def singular(word: str) -> str:
    """Return a word without the "s" of its plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


STEM = 5  # letters by which words are compared
