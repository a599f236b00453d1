"""Lines of what stands in a TOML file, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.files import line_of, parse

TEXT = """\
top = 1
["a.b"]  # a table
key = 1
'other key' = 2

[c]
key = 3
[[d]]
key = 4
"""


@pytest.mark.parametrize(
    ("table", "key", "line"),
    [
        ("a.b", "", 2), ("a.b", "key", 3), ("a.b", "other key", 4), ("c", "key", 7), ("d", "key", 9),
        ("", "top", 1), ("c", "none", 6), ("none", "", 1),
    ],
)  # fmt: skip
def test_the_line_of_a_table_or_key(table: str, key: str, line: int) -> None:
    assert line_of(TEXT, table, key) == line


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a = 1\na = 2\n", "line 2 is no TOML"),
        (b"a = [\n1,\n", "line 3 is no TOML"),
        (b"\n\xff", "line 2 is no UTF-8"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"a = " + b"9" * 6_000, "too many digits"),
        (b"#" * (9 << 20), "has 9 MiB"),
    ],
)
def test_what_is_no_toml_is_said_with_its_line_or_reason(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.toml").write_bytes(content)
    with pytest.raises(ValueError, match=words):
        parse(tmp_path / "a.toml")
