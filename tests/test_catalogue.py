"""The catalogues of the page: every text translated, nothing lost in translation, compiled as they stand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("babel", reason="Babel comes with the extra dev")
SCRIPT = Path(__file__).parents[1] / "scripts" / "catalogue.py"


@pytest.fixture(scope="module")
def catalogue() -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogue", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_text_of_the_page_is_translated_and_compiled(
    catalogue: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert catalogue.catalogues()
    assert (catalogue.main(["--check"]), capsys.readouterr().out) == (0, "")


@pytest.mark.parametrize(
    ("translation", "fault"),
    [
        ("", "no translation"),
        ("Seite", "other values"),
        ("Seite %(seite)s", "other values"),
        ("Seite %(page)d", "other values"),
        ("Seite %(page)s von %(page)s", "other values"),
    ],
)
def test_a_translation_that_loses_something_is_told(
    catalogue: ModuleType, translation: str, fault: str
) -> None:
    from babel.messages.catalog import Catalog

    made = Catalog(locale="de")
    made.add("page %(page)s", translation, flags=["python-format"])
    found = catalogue.faults(made)
    assert len(found) == 1
    assert fault in found[0]


def test_what_is_gone_leaves_the_catalogue(catalogue: ModuleType, tmp_path: Path) -> None:
    from babel.messages.catalog import Catalog

    po = tmp_path / "de" / "LC_MESSAGES" / "page.po"
    po.parent.mkdir(parents=True)
    old, texts = Catalog(locale="de"), Catalog()
    old.add("kept", "behalten")
    old.add("gone", "weg")
    po.write_bytes(catalogue.as_po(old))
    texts.add("kept")
    texts.add("new")
    assert {item.id: item.string or "" for item in catalogue.updated(po, texts) if item.id} == {
        "kept": "behalten",
        "new": "",
    }
