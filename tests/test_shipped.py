"""The shipped words are read in one place, and a damaged file says which it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from appliance.core import files
from appliance.core.errors import BadSettings
from appliance.core.files import data_folder

# These read what a user may have written or what is no list of words, each with its own complaint.
OWN = frozenset(
    {
        "core/files.py",
        "core/settings.py",
        "models/catalogue.py",
        "models/prompts.py",
    }
)


def test_every_shipped_file_of_words_can_be_read() -> None:
    folder = data_folder()
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.toml")]
    assert len(names) > 30
    assert all(files.shipped(name) for name in names)


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "No such file"), (b"a = [", "line 1"), (b"a = 1\n\xff", "line 2"), (b"a = 1\na = 2", "line 2")],
)
def test_a_damaged_file_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, told: str
) -> None:
    monkeypatch.setattr(files, "data_folder", lambda: tmp_path)
    if content is not None:
        (tmp_path / "words.toml").write_bytes(content)
    with pytest.raises(BadSettings, match=rf"words\.toml .*{told}"):
        files.shipped("words")


def test_nobody_else_reads_them() -> None:
    package = Path(files.__file__).parents[1]
    readers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"tomllib\.loads?\(", path.read_text(encoding="utf-8"))
    }
    assert readers == OWN
