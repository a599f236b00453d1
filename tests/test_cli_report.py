"""The commands `report` and `figure` as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from appliance.core.files import images_folder
from appliance.library import Library
from tests.test_cli import run, run_json


@pytest.fixture
def own(demo_library: Path, tmp_path: Path) -> Path:
    """A copy of the demo library, so that checks are nobody else's."""
    path = tmp_path / "codes.db"
    shutil.copyfile(demo_library, path)
    shutil.copytree(images_folder(demo_library), images_folder(path))
    return path


def test_without_a_document_every_one_has_its_line(own: Path, demo: Library) -> None:
    names = [info.id for info in demo.documents()]
    assert [item["document"] for item in run_json("report", "--library", own)] == names
    shown = run("report", "--library", own).stdout
    assert all(name in shown for name in names)


def test_checks_are_kept_and_taken_back(own: Path, demo: Library) -> None:
    name = demo.documents()[0].id
    assert run_json("report", name, "--checked", "1,2-3", "--library", own)["trust"]["checked"] == 3
    assert run_json("report", name, "--library", own)["trust"]["checked"] == 3
    assert "checked 3" in run("report", name, "--library", own).stdout
    assert run_json("report", name, "--unchecked", "2", "--library", own)["trust"]["checked"] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("NOWHERE",), "NOWHERE"),
        (("DEMO", "--checked", "0"), "names no pages"),
        (("--checked", "1"), "Name the document"),
    ],
)
def test_wrong_requests_are_sentences(words: tuple[str, ...], says: str, own: Path, demo: Library) -> None:
    named = [demo.documents()[0].id if word == "DEMO" else word for word in words]
    result = run("report", *named, "--library", own)
    assert result.exit_code != 0
    assert says in result.stderr


def test_a_damaged_file_of_checks_costs_the_checks_alone(own: Path, demo: Library) -> None:
    name = demo.documents()[0].id
    Path(f"{own}.checked.json").write_text("{", encoding="utf-8")
    found = run_json("report", name, "--library", own)
    assert "no list of checked pages" in found["whole"][0]["words"]
    assert run("report", name, "--checked", "1", "--library", own).exit_code == 2


def test_a_figure_is_shown_and_cut_out(own: Path, demo: Library, tmp_path: Path) -> None:
    name, figure = next((info.id, f) for info in demo.documents() for f in demo.document(info.id).figures)
    target = tmp_path / "figure.png"
    result = run("figure", name, figure.label.key, "--image", target, "--library", own)
    assert figure.title in " ".join(result.stdout.split())
    with Image.open(target) as picture:
        box = figure.boxes[0]
        shape = (box.x1 - box.x0) * 210 / ((box.y1 - box.y0) * 297)
        assert picture.width / picture.height == pytest.approx(shape, rel=0.05)
    found = run_json("figure", name, figure.label.key, "--library", own)
    assert (found["label"], len(found["boxes"])) == (str(figure.label), len(figure.boxes))


def test_a_drawing_for_a_folder_that_is_not_there_says_to_make_it(
    own: Path, demo: Library, tmp_path: Path
) -> None:
    name, figure = next((info.id, f) for info in demo.documents() for f in demo.document(info.id).figures)
    for target, says in ((tmp_path / "no" / "f.png", "Make the folder"), (tmp_path, "")):
        result = run("figure", name, figure.label.key, "--image", target, "--library", own)
        assert (result.exit_code != 0, "appliance build" in result.stderr) == (True, False)
        assert says in result.stderr


def test_a_figure_without_page_images_is_a_sentence(own: Path, demo: Library, tmp_path: Path) -> None:
    name, figure = next((info.id, f) for info in demo.documents() for f in demo.document(info.id).figures)
    shutil.rmtree(images_folder(own))
    result = run("figure", name, figure.label.key, "--image", tmp_path / "f.png", "--library", own)
    assert result.exit_code != 0
    assert result.stderr.startswith("appliance: ")
    assert json.dumps(result.stderr).isascii()
    assert run("figure", name, "Figure 99", "--library", own).exit_code != 0
