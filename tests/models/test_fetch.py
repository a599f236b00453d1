"""Fetching from an origin that is cut, wrong, endless, absent or slow; the origin is on loopback."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.core.errors import BadInput, FetchFailed, ModelDamaged, ModelMissing
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import ADDED, check, entry_named, list_models
from appliance.models.fetch import FetchLimits, fetch

CONTENT = bytes(range(256)) * 512
SHA256 = hashlib.sha256(CONTENT).hexdigest()
QUICK = FetchLimits(seconds=2, tries=3, pause_seconds=0, spare_bytes=0)
SMALL = FetchLimits(seconds=2, tries=1, pause_seconds=0, spare_bytes=0, file_bytes=100_000)
FILE = "/someone/model/resolve/main/model.bin"


class Origin(http.server.BaseHTTPRequestHandler):
    """Serves CONTENT under every name; the server's `script` says how each next answer misbehaves."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.seen.append((self.path, self.headers.get("Range"), self.headers.get("If-Range")))
        step = server.script.pop(0) if server.script else "whole"
        if step.isdigit():
            self.send_error(int(step))
            return
        wanted = self.headers.get("Range")
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and step != "no ranges" else 0
        if wanted and self.headers.get("If-Range") != server.etag:
            start = 0
        self.send_response(206 if start else 200)
        self.send_header("ETag", server.etag)
        if step != "endless":
            self.send_header("Content-Length", str(len(server.content) - start))
        self.end_headers()
        self._body(server.content[start:], step)

    def _body(self, content: bytes, step: str) -> None:
        if step == "cut":
            self.wfile.write(content[: len(content) // 3])
        elif step == "endless":
            try:
                for _ in range(200):
                    self.wfile.write(content)
            except (BrokenPipeError, ConnectionResetError):
                pass
        else:
            self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def origin() -> Iterator[Any]:
    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    server.script, server.seen, server.content, server.etag = [], [], CONTENT, '"one"'
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def settings_with(folder: Path, origin: Any, **file: object) -> ModelSettings:
    entry = {
        "role": "embedder", "adapter": "encoder", "summary": "a test", "licence": "none",
        "repository": "someone/model", "files": [{"path": "model.bin", **file}],
    }  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / ADDED).write_bytes(msgspec.json.encode({"test-model": entry}))
    return ModelSettings(folder=folder, origin=f"http://127.0.0.1:{origin.server_address[1]}")


@pytest.fixture
def settings(tmp_path: Path, origin: Any) -> ModelSettings:
    return settings_with(tmp_path / "models", origin, sha256=SHA256, size=len(CONTENT))


def test_a_whole_file_arrives_and_tells_its_progress(settings: ModelSettings, origin: Any) -> None:
    told: list[tuple[str, int, int]] = []
    folder = fetch(settings, "test-model", limits=QUICK, progress=lambda *step: told.append(step))
    assert (folder / "model.bin").read_bytes() == CONTENT
    assert told[-1] == ("model.bin", len(CONTENT), len(CONTENT))
    assert [path for path, *_ in origin.seen] == [FILE]
    assert sorted(path.name for path in folder.iterdir()) == ["model.bin"]


def test_a_cut_is_resumed_where_it_happened(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["cut", "cut"]
    folder = fetch(settings, "test-model", limits=QUICK)
    assert (folder / "model.bin").read_bytes() == CONTENT
    ranges = [wanted for _, wanted, _ in origin.seen]
    third = len(CONTENT) // 3
    assert ranges == [None, f"bytes={third}-", f"bytes={third + (len(CONTENT) - third) // 3}-"]


def test_an_interrupted_command_goes_on_next_time(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["cut", "503", "503"]
    with pytest.raises(FetchFailed, match="failed 3 times"):
        fetch(settings, "test-model", limits=QUICK)
    fetch(settings, "test-model", limits=QUICK)
    assert origin.seen[-1][1] == f"bytes={len(CONTENT) // 3}-"


def test_an_origin_that_cannot_resume_is_read_from_the_start(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["cut", "no ranges"]
    folder = fetch(settings, "test-model", limits=QUICK)
    assert (folder / "model.bin").read_bytes() == CONTENT


def test_two_versions_are_never_joined(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["cut", "404"]
    origin.content = bytes(len(CONTENT))
    with pytest.raises(FetchFailed, match="404"):
        fetch(settings, "test-model", limits=QUICK)
    origin.content, origin.etag = CONTENT, '"two"'
    folder = fetch(settings, "test-model", limits=QUICK)
    assert (folder / "model.bin").read_bytes() == CONTENT


def test_a_part_longer_than_the_file_begins_again(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["416"]
    folder = settings.folder / "test-model"
    folder.mkdir()
    (folder / "model.bin.part").write_bytes(CONTENT * 2)
    (folder / "model.bin.etag").write_text('"one"')
    assert (fetch(settings, "test-model", limits=QUICK) / "model.bin").read_bytes() == CONTENT


def test_another_content_is_refused_and_removed(settings: ModelSettings, origin: Any) -> None:
    origin.content = bytes(len(CONTENT))
    with pytest.raises(FetchFailed, match=f"recorded sha256 {SHA256}"):
        fetch(settings, "test-model", limits=QUICK)
    assert list((settings.folder / "test-model").iterdir()) == []


def test_a_missing_file_is_named_with_its_address(settings: ModelSettings, origin: Any) -> None:
    origin.script = ["404"]
    with pytest.raises(FetchFailed, match=f"{FILE}: the origin answered 404"):
        fetch(settings, "test-model", limits=QUICK)
    assert len(origin.seen) == 1, "an absent file is not asked for again"


@pytest.mark.parametrize("script", [["endless"], ["whole"]])
def test_a_file_that_does_not_end_stops_at_its_limit(tmp_path: Path, origin: Any, script: list[str]) -> None:
    settings = settings_with(tmp_path / "models", origin)
    origin.script = script
    with pytest.raises(FetchFailed, match="longer than the 100000 bytes"):
        fetch(settings, "test-model", limits=SMALL)
    assert not (settings.folder / "test-model" / "model.bin.part").exists()


def test_a_full_disk_is_said_before_anything_is_written(settings: ModelSettings) -> None:
    limits = FetchLimits(seconds=2, tries=1, spare_bytes=1 << 62)
    with pytest.raises(FetchFailed, match="no room"):
        fetch(settings, "test-model", limits=limits)


def test_no_origin_at_all(tmp_path: Path, origin: Any) -> None:
    settings = settings_with(tmp_path / "models", origin)
    with pytest.raises(FetchFailed, match="failed 1 times"):
        fetch(settings, "test-model", origin="http://127.0.0.1:1", limits=SMALL)
    with pytest.raises(BadInput, match="http or https"):
        fetch(settings, "test-model", origin="file:///etc", limits=SMALL)


def test_what_nobody_recorded_is_recorded_once_and_checked_ever_after(tmp_path: Path, origin: Any) -> None:
    settings = settings_with(tmp_path / "models", origin)
    entry = entry_named(settings, "test-model")
    with pytest.raises(ModelMissing):
        check(settings, entry)
    folder = fetch(settings, "test-model", limits=QUICK)
    entry = entry_named(settings, "test-model")
    assert [(file.path, file.sha256) for file in entry.files] == [("model.bin", SHA256)]
    assert check(settings, entry) == folder
    (folder / "model.bin").write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(ModelDamaged, match="models fetch test-model --force"):
        check(settings, entry)
    origin.content = bytes(len(CONTENT))
    with pytest.raises(FetchFailed, match="recorded sha256"):
        fetch(settings, "test-model", limits=QUICK, force=True)


def test_whole_files_are_not_fetched_again(settings: ModelSettings, origin: Any) -> None:
    fetch(settings, "test-model", limits=QUICK)
    fetch(settings, "test-model", limits=QUICK)
    assert len(origin.seen) == 1
    fetch(settings, "test-model", limits=QUICK, force=True)
    assert len(origin.seen) == 2


def test_states_follow_the_files(settings: ModelSettings) -> None:
    def state() -> str:
        return next(item.state for item in list_models(settings) if item.entry.name == "test-model")

    assert state() == "to fetch"
    fetch(settings, "test-model", limits=QUICK)
    assert state() == "installed"


def test_what_ships_and_what_is_unknown_cannot_be_fetched(settings: ModelSettings) -> None:
    with pytest.raises(BadInput, match="ships with the program"):
        fetch(settings, "minilm-l6-int8", limits=QUICK)
    with pytest.raises(BadInput, match="no model nothing in the catalogue"):
        fetch(settings, "nothing", limits=QUICK)


def test_a_path_that_leaves_the_folder_is_refused(tmp_path: Path, origin: Any) -> None:
    settings = settings_with(tmp_path / "models", origin)
    data = (settings.folder / ADDED).read_bytes().replace(b'"model.bin"', b'"../../model.bin"')
    (settings.folder / ADDED).write_bytes(data)
    with pytest.raises(BadInput, match="leaves the model's folder"):
        fetch(settings, "test-model", limits=QUICK)


def test_a_page_that_asks_to_log_in_is_no_model(tmp_path: Path, origin: Any, tiny: Path) -> None:
    settings = settings_with(tmp_path / "models", origin)
    data = (settings.folder / ADDED).read_bytes().replace(b"model.bin", b"model.gguf")
    (settings.folder / ADDED).write_bytes(data)
    origin.content = b"<!doctype html><title>Log in to the network</title>"
    with pytest.raises(FetchFailed, match="what arrived is no model: the file is not in GGUF format"):
        fetch(settings, "test-model", limits=QUICK)
    origin.content = tiny.read_bytes()[:-100]
    with pytest.raises(FetchFailed, match=r"what arrived is no model: .* is cut off"):
        fetch(settings, "test-model", limits=QUICK)
    assert list((settings.folder / "test-model").iterdir()) == []
    assert not entry_named(settings, "test-model").files[0].sha256
    origin.content = tiny.read_bytes()
    folder = fetch(settings, "test-model", limits=QUICK)
    assert check(settings, entry_named(settings, "test-model")) == folder
