"""What is drawn otherwise while no word of it changes is told; the same drawing encoded anew is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from appliance.core.document import Page
from appliance.core.files import images_folder
from appliance.core.settings import Settings
from appliance.library import open_store
from appliance.store.write import write_library
from appliance.update.changes.compare import compare
from tests import factories

FIGURE = (100, 1010, 900, 1390)  # inside its box: page 1, from 0.5 of its height, 0.2 high


def library(
    path: Path,
    line: tuple[int, int, int, int],
    quality: int = 80,
    elsewhere: str = "",
    *,
    torn: bool = False,
    kind: str = "figure",
) -> Path:
    """Write a library of one page with a figure, or another item in its place, in which this line stands."""
    folder = images_folder(path)
    folder.mkdir(parents=True)
    picture = Image.new("RGB", (1000, 2000), "white")
    pen = ImageDraw.Draw(picture)
    pen.rectangle(FIGURE, outline="black", width=3)
    pen.line(line, fill="black", width=4)
    pen.text((100, 100), elsewhere, fill="black")
    name = f"{path.stem.encode().hex():0>64}.webp"
    picture.save(folder / name, quality=quality)
    if torn:
        (folder / name).write_bytes((folder / name).read_bytes()[:50])
    figure = factories.figure("Figure 1.1", "Loads on a roof", "h b")
    formula = replace(factories.formula("Figure 1.1", "s = 2"), boxes=figure.boxes)
    table = replace(factories.table("Figure 1.1", [["Load"], ["2"]]), boxes=figure.boxes)
    held = {
        "figure": {"figures": (figure,)},
        "formula": {"formulas": (formula,)},
        "table": {"tables": (table,)},
    }
    plain = replace(factories.document(factories.spread({"5.1": "A roof."})), **held[kind])  # type: ignore[arg-type]
    document = replace(plain, pages=(Page(1, 595.0, 842.0),))
    write_library(path, [document], images={document.id: {1: (name, name)}})
    return path


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ({"line": (200, 1300, 800, 1100)}, False),
        ({"line": (200, 1300, 800, 1100), "quality": 55}, False),
        ({"line": (200, 1300, 800, 1100), "elsewhere": "other words on the page"}, False),
        ({"line": (200, 1250, 800, 1100)}, True),
        ({"line": (200, 1300, 700, 1133)}, True),
        ({"line": (200, 1300, 800, 1100), "torn": True}, True),
        ({"line": (201, 1301, 801, 1101)}, False),
        ({"line": (200, 1250, 800, 1100), "kind": "formula"}, True),
        ({"line": (200, 1300, 800, 1100), "kind": "formula", "quality": 55}, False),
        ({"line": (200, 1250, 800, 1100), "kind": "table"}, True),
    ],
    ids=[
        "the same",
        "encoded anew",
        "changed elsewhere",
        "moved",
        "shorter",
        "cannot be read",
        "a point beside",
        "a formula",
        "a formula encoded anew",
        "a table",
    ],
)
def test_what_is_drawn_otherwise(after: dict[str, object], told: bool, tmp_path: Path) -> None:
    kind = str(after.get("kind", "figure"))
    old = library(tmp_path / "old.db", (200, 1300, 800, 1100), kind=kind)
    new = library(tmp_path / "new.db", **after)  # type: ignore[arg-type]  # a table of cases
    with open_store(old, Settings()) as before, open_store(new, Settings()) as later:
        found = [
            (item.label, item.page, *item.also) for change in compare(before, later) for item in change.items
        ]
    assert found == ([("Figure 1.1", 1, "drawn otherwise")] if told else [])
