"""What a piece of the program rests on is found without importing it."""

from __future__ import annotations

from pathlib import Path

import appliance
from appliance.core.own_modules import behind

PACKAGE = Path(appliance.__file__).parent


def names(*files: str) -> set[str]:
    return {path.relative_to(PACKAGE).as_posix() for path in behind(PACKAGE / file for file in files)}


def test_what_reading_rests_on_is_found_however_far() -> None:
    found = names("ingest/batch.py")
    assert {"ingest/pipeline.py", "ingest/pdf/rendering.py"} <= found  # imported inside a function
    assert {"core/document.py", "core/files.py", "core/settings.py", "text/lookalikes.py"} <= found
    assert not {name for name in found if name.startswith(("web/", "answer/", "cli/", "retrieval/"))}


def test_what_the_graph_rests_on() -> None:
    assert {"core/graph.py", "text/quantities.py", "text/numbers.py", "tables/rows.py"} <= names(
        "ingest/knowledge/build.py"
    )


def test_a_module_that_imports_nothing_is_alone() -> None:
    assert names("core/errors.py") == {"core/errors.py"}
    assert behind([]) == ()
