"""The commands of the README, run in their order as they are written there, beside a demo library."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.core.files import cache_folder, images_folder

ROOT = Path(__file__).parents[1]
PROGRAM = ".venv/bin/appliance"
TYPED = (sys.executable, "-m", "appliance.cli")
LONG = ("serve", "mcp", "bench", "eval ablate")  # these serve until told to end (below), those take minutes


def commands() -> list[list[str]]:
    """Return the words of each command but those over a folder that the reader brings (FOLDER)."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words and words[0] == PROGRAM and "FOLDER" not in words]


@pytest.fixture
def checkout(demo_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands are typed after `make demo`, with its codes.db to be built again."""
    demo = ROOT / "data" / "demo"
    (tmp_path / "data" / "demo").mkdir(parents=True)
    for path in (*demo.parent.iterdir(), *demo.iterdir()):
        if path not in {demo, demo / "questions.jsonl"}:
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    few = (demo / "questions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[::12]
    (tmp_path / "data" / "demo" / "questions.jsonl").write_text("".join(few), encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "demo").symlink_to(demo_library.parent)
    library = tmp_path / "build" / "codes.db"
    shutil.copy(demo_library, library)
    shutil.copytree(images_folder(demo_library), images_folder(library))
    shutil.copytree(cache_folder(demo_library), cache_folder(library))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.mark.usefixtures("checkout")
def test_the_commands_of_the_readme_work_as_written() -> None:
    typed = [words for words in commands() if not " ".join(words).startswith(LONG)]
    assert len(typed) > 25
    for words in typed:
        if words[0] == "console":  # waits at a keyboard, not at one of ours
            subprocess.run([*TYPED, *words], stdin=subprocess.DEVNULL, check=True)
            continue
        result = CliRunner().invoke(main, words, input="y\n")
        assert result.exit_code == 0, f"{words}: {result.output}"
        assert "Not found" not in result.output, words


def test_the_page_is_served_as_written(checkout: Path) -> None:
    (words,) = (words for words in commands() if words[0] == "serve")
    command = [*TYPED, *words, "--port", "0"]
    with subprocess.Popen(command, cwd=checkout, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        assert any("http://" in line for line in server.stderr)
        server.terminate()
