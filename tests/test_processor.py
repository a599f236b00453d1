"""Which processors are refused, and in which words."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from appliance import doctor, launch
from appliance import launch as processor

ROOT = Path(__file__).parents[1]
NEHALEM = "fpu sse sse2 pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"
CORE2 = "fpu sse sse2 pni ssse3 cx16 lahf_lm"
HASWELL = f"{NEHALEM} avx fma avx2 bmi2"


def kernel_says(folder: Path, words: str) -> Path:
    file = folder / "cpuinfo"
    file.write_text(f"processor\t: 0\nmodel name\t: a processor\nflags\t\t: {words}\nbugs\t\t: none\n\n")
    return file


@pytest.mark.parametrize(
    ("words", "missing", "looked_at"),
    [
        (HASWELL, "", [("well", "with AVX2")]),
        (NEHALEM, "", [("well", "without AVX2; all works, slower")]),
        (CORE2, "popcnt, sse4_1, sse4_2", [("wrong", "too old")]),
        ("fpu sse sse2", "cx16, popcnt, sse4_1, sse4_2, ssse3", [("wrong", "too old")]),
        (NEHALEM.replace("popcnt", "popcntx"), "popcnt", [("wrong", "too old")]),
        ("", "", []),
    ],
    ids=["haswell", "nehalem", "core2", "first x86-64", "a name alike", "nothing said"],
)
def test_a_processor_without_sse42_is_refused_one_without_avx2_is_not(
    tmp_path: Path, words: str, missing: str, looked_at: list[tuple[str, str]]
) -> None:
    found = processor.features(kernel_says(tmp_path, words))
    why = processor.refusal(found)
    assert (f"lacks {missing}." in why) if missing else not why
    checks = list(doctor._processor(found))
    assert [(check.state, check.name) for check in checks] == [(state, "processor") for state, _ in looked_at]
    assert all(words in check.words for check, (_, words) in zip(checks, looked_at, strict=True))


@pytest.mark.parametrize("content", [b"", b"Features\t: fp asimd crc32\n", b"\xff\xfe", b"flags", None])
def test_where_nothing_is_known_nothing_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "cpuinfo"
    if content is not None:
        file.write_bytes(content)
    assert not processor.refusal(processor.features(file))


def test_every_command_says_it_before_anything_compiled_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = processor.features(kernel_says(tmp_path, CORE2))
    monkeypatch.setattr(launch, "features", lambda: old)
    monkeypatch.setattr(runpy, "run_module", lambda *_a, **_k: pytest.fail("it was started"))
    monkeypatch.setattr(sys, "argv", ["appliance", "doctor"])
    with pytest.raises(SystemExit) as ended:
        launch.main()
    assert ended.value.code == 2
    assert "This processor is too old for the program" in capsys.readouterr().err


def test_the_installer_looks_for_the_same() -> None:
    looked = re.search(r"for name in ([a-z0-9_ ]+); do", (ROOT / "packaging" / "install.sh").read_text())
    assert looked
    assert set(looked[1].split()) == set(processor.NEEDED)
