"""The steps of reading on real codes. All in one file, so that one process reads each code once."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.structure.build import build_clauses
from tests.ingest.made import laid_out, scheme
from tests.ingest.test_figures import f1
from tests.ingest.test_tables import check

pytestmark = pytest.mark.corpus


def truth(corpus: Path, name: str) -> Path:
    return corpus.parent / "eval" / "structure" / f"{name}.structure.json"


def test_a_regulation_box_is_read_column_by_column(corpus: Path) -> None:
    _, pages = laid_out(corpus / "AD-K.pdf")
    lines = [line.text for line in pages[12].lines]
    law, limits = lines.index("building."), lines.index("Limits on application")
    assert lines[law - 3].startswith("K1. Stairs, ladders and ramps")
    assert law < limits < lines.index("Performance")


@pytest.mark.parametrize("name", ["AD-K", "AD-H"])
def test_every_captioned_table_is_found(name: str, corpus: Path) -> None:
    check(corpus / f"{name}.pdf", truth(corpus, name))


@pytest.mark.parametrize("name", ["AD-K", "AD-H"])
def test_the_figures(name: str, corpus: Path) -> None:
    score = f1(corpus / f"{name}.pdf", truth(corpus, name))
    assert score is not None
    assert score >= 0.95


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("AD-K", {"Requirement K5.1", "Section 10", "1.14", "1.42", "10.1", "Appendix B", "1.4e(i)"}),
        ("AD-H", {"H1/1.1", "H2/1.1", "H6/1.1", "H1/A.13", "H3/Appendix H3-A", "Requirement H5"}),
        ("AD-S", {"Regulation 44D", "44D(4)", "S1(3)", "Section 6", "6.12", "Appendix C"}),
    ],
)
def test_the_outline(corpus: Path, name: str, wanted: set[str]) -> None:
    _, pages = laid_out(corpus / f"{name}.pdf")
    found, _ = build_clauses(pages, frozenset(), scheme("approved_document"))
    keys = [clause.label.key for clause in found]
    assert len(keys) == len(set(keys))
    assert wanted <= set(keys)
