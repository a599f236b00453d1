"""Values as an engineer compares them: "150mm" is "150 mm", "94,500 mm²" is "94500 mm2".

Rules of this module: pure; both sides go through the same `normal_value`, then whole tokens are
compared, so that "50 mm" is not found in "150 mm".
"""

from __future__ import annotations

import re
import unicodedata

_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\u2010-\u2015\u2212]"), "-"),
    (re.compile(r"[\u2018\u2019]"), "'"),
    (re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]"), ""),
    (re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))"), ""),  # thousands: 94,500 and 94 500
    (re.compile(r"\bper\s?cent\b"), "%"),
    (re.compile(r"\b(\d+)\s?in\s?(\d+)\b"), r"\1:\2"),  # a slope of 1 in 40
    (re.compile(r"(?<=\d)\s*[x\u00d7*]\s*(?=\d)"), " x "),
    (re.compile(r"(?<=\d)\s*:\s*(?=\d)"), ":"),
    (re.compile(r"\bmillimet(?:re|er)s?\b"), "mm"),
    (re.compile(r"\bmet(?:re|er)s?\b"), "m"),
    (re.compile(r"\blit(?:re|er)s?\b"), "l"),
    (re.compile(r"\bsec(?:ond)?s?\b"), "s"),
    (re.compile(r"\bmin(?:ute)?s?\b"), "min"),
    (re.compile(r"\bh(?:ou)?rs?\b"), "h"),
    (re.compile(r"\bkilowatts?\b"), "kw"),
    (re.compile(r"\bdeg(?:ree)?s?\.?(?=\s|c\b|$)"), "\u00b0"),
    (re.compile(r"[\u00b7\u22c5]"), "."),
)
_MARKS = re.compile(r"(?<=\d)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")  # of a footnote: 190\u00b2
_RING = re.compile("[\u00ba\u02da]")  # what drawings print for a degree
_TOKEN = re.compile(
    r"(?:(?:^|(?<=[\s(=]))-)?\d+(?:[.:/]\d+)*"  # a number with its sign, a ratio, a clause number
    r"|[^\W\d_]+\d?(?=[^\w.]|$|\.)"  # a word or a unit with its power: mm2, m3
    r"|[^\W\d_]+"
    r"|[%\u00b0\u00b1\u00a3\u20ac$<>\u2264\u2265=+]"
)


def normal_value(text: str) -> tuple[str, ...]:
    """Return the tokens of the text with numbers and units in one spelling.

    >>> normal_value("at least 94,500mm²")
    ('at', 'least', '94500', 'mm2')
    """
    plain = unicodedata.normalize("NFKC", _RING.sub("\u00b0", _MARKS.sub("", text))).casefold()
    for pattern, replacement in _REWRITES:
        plain = pattern.sub(replacement, plain)
    return tuple(_TOKEN.findall(plain))


def contains(text: tuple[str, ...], value: tuple[str, ...]) -> bool:
    """Tell whether the tokens of the value stand one after the other in those of the text."""
    size = len(value)
    return bool(value) and any(text[at : at + size] == value for at in range(len(text) - size + 1))


def all_found(values: tuple[str, ...], text: str) -> bool:
    """Tell whether every value is said in the text."""
    tokens = normal_value(text)
    return all(contains(tokens, normal_value(value)) for value in values)


def same_cell(wanted: str, returned: str) -> bool:
    """Tell whether a table look-up returned the wanted cell.

    Equal but for spelling and a unit; a sentence of three words and more may be a part of its cell.
    """
    left, right = normal_value(wanted), normal_value(returned)
    if left == right:
        return True
    if not left or not right:
        return False
    numbers = [token for token in left if _is_number(token)]
    if len(left) >= 3:
        return contains(right, left)
    return (
        bool(numbers) and numbers == [token for token in right if _is_number(token)] and contains(right, left)
    )


def _is_number(token: str) -> bool:
    return token.lstrip("-")[:1].isdigit()
