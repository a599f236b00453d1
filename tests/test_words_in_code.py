"""No word of a language in the patterns of the engine: such words stand in data/, where a language is added.

What is looked at are the patterns that the modules behind a question give to `re`, without their classes,
escapes and group names. What is no word of a text to be read (words of machines, of our own messages, of
designations) is named below with the module that may hold it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "appliance"
LOOKED_AT = ("retrieval", "answer", "citing", "tables/lookup.py", "store")
ALLOWED = {
    "answer/reading/question.py": {"in"},  # before a unit in brackets, in every language loaded
    "answer/write/suspicious_text.py": {  # control words of models, kinds of addresses
        *("INST", "SYS", "start", "end", "of", "turn", "https", "ftp", "javascript", "data", "www")
    },
    "citing/find.py": {"edition"},
    "citing/names.py": {"edition"},
    "citing/sentence_of_reference.py": {"pr", "EN", "ISO", "IEC"},  # parts of designations
    "tables/lookup.py": {"to"},
}
_ESCAPED = re.compile(r"\\[NxuU](?:\{[^}]*\}|[0-9a-fA-F]+)|\\.")
_SYNTAX = re.compile(r"\(\?P(?:<\w+>|=\w+)|\(\?[aimsux-]+[:)]|\[[^\]]*\]")


def words_in(source: str) -> Iterator[str]:
    """Yield the words of two letters or more in the patterns that a source gives to functions of `re`."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        if (
            isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr != "escape"
        ):
            for text in _texts(node.args[0]):
                plain = _SYNTAX.sub(" ", _ESCAPED.sub("", re.sub(r"\s#.*", "", text)))
                yield from re.findall(r"[^\W\d_]{2,}", plain)


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from _texts(part)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
        yield from _texts(node.right)


def _modules() -> list[str]:
    found = [path for name in LOOKED_AT for path in ((PACKAGE / name).rglob("*.py"))]
    found += [PACKAGE / name for name in LOOKED_AT if name.endswith(".py")]
    return sorted(path.relative_to(PACKAGE).as_posix() for path in found)


def test_no_pattern_holds_a_word_of_a_language_and_every_allowance_is_needed() -> None:
    found = {module: set(words_in((PACKAGE / module).read_text(encoding="utf-8"))) for module in _modules()}
    assert {module: words for module, words in found.items() if words} == ALLOWED


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (r're.compile(r"\b(?:and|or)\b")', ["and", "or"]),
        (r're.search(rf"{unit} of (?P<what>\w+)", text)', ["of"]),
        (r're.compile(r"[a-z]+\bto" + r"until", re.X)', ["to", "until"]),
        (r're.compile(r"(?P<unit>[^\W\d_]{2,})\N{EN DASH}\u2013\d+")', []),
        (r're.compile(rf"(?i)(?:{words})\s?\d")', []),
        ('re.escape("and")', []),
    ],
)
def test_words_are_told_from_the_signs_of_a_pattern(source: str, found: list[str]) -> None:
    assert list(words_in(source)) == found
