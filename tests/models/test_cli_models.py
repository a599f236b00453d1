"""The commands over models, for people and for programs, with the sentences of what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from appliance.cli import main


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(f'[models]\nfolder = "{tmp_path / "models"}"\n')
    return path


def run(settings: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["--settings", str(settings), "models", *map(str, words)])


def test_a_box_fetches_nothing_and_says_where_to(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state.json").write_text("{}")
    monkeypatch.setenv("APPLIANCE_HOME", str(tmp_path))
    refused = run(settings, "fetch", "qwen3-0.6b")
    said = " ".join((refused.output + refused.stderr).split())
    assert refused.exit_code == 2
    assert "a box opens no connection" in said
    assert "appliance models add FILE" in said
    assert not (settings.parent / "models").exists()


def test_a_file_is_added_listed_verified_and_removed(settings: Path, tiny: Path) -> None:
    assert run(settings, "add", tiny, "--name", "mine", "--licence", "MIT").exit_code == 0
    listed = {item["name"]: item for item in json.loads(run(settings, "list", "--json").stdout)}
    assert listed["mine"] | {"state": "installed", "role": "generator", "licence": "MIT"} == listed["mine"]
    assert (listed["mine"]["context"], listed["mine"]["template"]) == (2048, "own")
    shown = " ".join(run(settings, "list").stdout.split())
    assert all(name in shown for name in ("context", "template", "2048", "chatml", "131072"))
    assert listed["qwen3-4b"]["sources"]
    assert "mine: whole" in run(settings, "verify").stdout
    copied = settings.parent / "models" / "mine" / tiny.name
    copied.write_bytes(copied.read_bytes()[:-1])
    damaged = run(settings, "verify")
    assert damaged.exit_code == 6
    assert "The model mine is damaged" in damaged.stdout
    assert run(settings, "remove", "mine").exit_code == 0
    assert not copied.parent.exists()
    assert "mine" not in run(settings, "list", "--json").stdout


def test_the_doctor_looks_at_the_language_model(settings: Path, tiny: Path) -> None:
    def told() -> dict[str, str]:
        words = ["--settings", str(settings), "doctor", "--library", str(settings.parent / "no.db"), "--json"]
        checks = json.loads(CliRunner().invoke(main, words).stdout)["checks"]
        return next(check for check in checks if check["name"] == "language model")

    assert told()["state"] == "note"
    with settings.open("a") as stream:
        stream.write('[llm]\nmodel = "mine"\ncontext_tokens = 512\n')
    assert told()["state"] == "wrong"
    assert "no model mine" in told()["message"]
    run(settings, "add", tiny, "--name", "mine")
    assert (told()["state"], told()["message"]) == ("well", "mine, 512 tokens of context")


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [(b"GGUF\x03", 6, "cut off or damaged"), (b"%PDF-1.7", 6, "not in GGUF format"), (b"", 6, "GGUF")],
)
def test_what_is_no_model_is_not_added(settings: Path, content: bytes, code: int, words: str) -> None:
    path = settings.parent / "some.gguf"
    path.write_bytes(content)
    refused = run(settings, "add", path)
    assert refused.exit_code == code
    assert words in refused.stderr
    assert run(settings, "remove", "some").exit_code == 2
