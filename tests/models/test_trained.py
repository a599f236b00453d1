"""A head that was trained here becomes a model of the catalogue, and ranks in a search."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.core.settings import ModelSettings, load
from appliance.library import Library
from appliance.models.add import TRAINED_RECORD as RECORD
from appliance.models.catalogue import load_embedder
from appliance.models.late_interaction import FILE, LENGTH_COST, LEVELS, Head, save_head

RECORDED = {
    "schema": 1,
    "base": "one:1",
    "data": [{"source": "asked", "licence": "OGL-3.0", "examples": 1259, "documents": ["AD-A"]}],
    "held_out": [],
    "recipe": {"how": "head over stored token vectors"},
    "figures": {"held out, with the head": {"mrr": 0.7}},
    "curve": [[1, 2.0]],
}


@pytest.fixture
def head() -> Head:
    """Return a head that turns every question round, so that the worst place is met best."""
    embedder = load_embedder(ModelSettings())
    width = embedder.token_dimension
    return Head(
        turn=-2 * np.eye(width, dtype=np.float32),
        gate=np.zeros(width, dtype=np.float32),
        curve=np.zeros(len(LEVELS), dtype=np.float32),
        length=LENGTH_COST,
        scale=1.0,
        shift=0.0,
        embedder=embedder.fingerprint,
    )


def trained(folder: Path, head: Head, record: object = RECORDED) -> Path:
    (folder / "vectors").mkdir(parents=True)
    (folder / "vectors" / "made.bin").write_bytes(b"made on the way")
    save_head(head, folder / FILE)
    (folder / RECORD).write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(f'[models]\nfolder = "{tmp_path / "models"}"\nreranker = "mine"\n')
    return path


def run(settings: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["--settings", str(settings), *map(str, words)])


def test_a_trained_head_is_added_checked_and_ranks_in_a_search(
    settings: Path, tmp_path: Path, head: Head, demo_library: Path
) -> None:
    asked = "How is the snow load on a roof found?"
    refused = run(settings, "search", asked, "--library", demo_library, "--json")
    assert refused.exit_code == 2
    assert "no model mine" in refused.stderr
    words = ("models", "add", trained(tmp_path / "h1", head), "--name", "mine", "--licence", "CC0-1.0")
    added = run(settings, *words)
    assert (added.exit_code, '[models] reranker = "mine"' in added.stderr) == (0, True)
    folder = tmp_path / "models" / "mine"
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [FILE, RECORD]
    listed = {item["name"]: item for item in json.loads(run(settings, "models", "list", "--json").stdout)}
    assert (listed["mine"]["role"], listed["mine"]["licence"]) == ("reranker", "CC0-1.0")
    entry = json.loads((tmp_path / "models" / "added.json").read_bytes())["mine"]
    assert "1,259 examples of asked (OGL-3.0)" in entry["summary"]
    assert all(len(file["sha256"]) == 64 for file in entry["files"])
    own = load(settings)
    with_head, without = (
        Library.open(demo_library, replace(own, models=replace(own.models, reranker=name)))
        for name in ("mine", "late-interaction")
    )
    orders = [one.search(asked, keep_stages=True).stages["reranked"] for one in (with_head, without)]
    assert orders[0] != orders[1]
    with_head.close()
    without.close()
    (folder / FILE).write_bytes((folder / FILE).read_bytes()[:-1])
    assert "The model mine is damaged" in run(settings, "models", "verify").stdout
    damaged = run(settings, "search", asked, "--library", demo_library)
    assert damaged.exit_code == 6
    assert "appliance models add" in " ".join(damaged.stderr.split())
    assert run(settings, "models", "remove", "mine").exit_code == 0


@pytest.mark.parametrize(
    ("words", "record", "says"),
    [
        ((), RECORDED, "--licence"),
        (("--licence", "MIT", "--name", "late-interaction"), RECORDED, "a model of the catalogue"),
        (("--licence", "MIT", "--name", "../out"), RECORDED, "no name for a model"),
        (("--licence", "MIT"), "{", "not the record of a training"),
        (("--licence", "MIT"), {"data": [], "recipe": {}, "figures": {}}, "names no data"),
        (("--licence", "MIT"), {"data": 3}, "not the record of a training"),
    ],
)
def test_a_head_without_licence_record_or_name_is_refused(
    settings: Path, tmp_path: Path, head: Head, words: tuple[str, ...], record: object, says: str
) -> None:
    refused = run(settings, "models", "add", trained(tmp_path / "h1", head, record), *words)
    assert refused.exit_code == 2
    assert says in " ".join(refused.stderr.split())
    assert not (tmp_path / "models").exists()


def test_a_head_is_named_as_its_folder_and_needs_its_record(
    settings: Path, tmp_path: Path, head: Head
) -> None:
    folder = trained(tmp_path / "my head", head)
    assert "my-head is added" in run(settings, "models", "add", folder, "--licence", "MIT").stderr
    (folder / RECORD).unlink()
    assert "goes with the record" in run(settings, "models", "add", folder, "--licence", "MIT").stderr
    (folder / FILE).write_text("no head")
    assert run(settings, "models", "add", folder, "--licence", "MIT").exit_code == 6


def test_what_is_no_model_is_told_what_to_do(settings: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs" / "model").mkdir(parents=True)
    refused = run(settings, "models", "add", tmp_path / "pairs", "--name", "mine", "--licence", "MIT")
    assert refused.exit_code == 2
    assert "appliance models export" in " ".join(refused.stderr.split())


def test_a_head_over_another_embedder_is_refused_when_it_is_to_rank(
    settings: Path, tmp_path: Path, head: Head, demo_library: Path
) -> None:
    folder = trained(tmp_path / "h1", replace(head, embedder="another:1"))
    assert run(settings, "models", "add", folder, "--name", "mine", "--licence", "MIT").exit_code == 0
    refused = run(settings, "search", "snow", "--library", demo_library)
    assert refused.exit_code == 6
    assert "trained over the vectors of another:1" in " ".join(refused.stderr.split())
