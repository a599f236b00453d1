"""Long texts as windows: nothing lost, nothing twice, the heading with each."""

from __future__ import annotations

import numpy as np
import pytest
from tokenizers import Tokenizer

from appliance.models.catalogue import shipped_folder
from appliance.models.encoder import OVERLAP, WINDOWS, windows
from appliance.models.session import open_tokenizer

SIZE = 64


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return open_tokenizer("minilm", shipped_folder() / "minilm-l6-int8" / "tokenizer.json")


def numbered(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("one line", 1),
        (numbered(31), 1),  # 31 words of two tokens and two special ones just fit
        (numbered(32), 2),
        ("Heading > of it\n" + numbered(100), 8),
        (numbered(20) + "\n" + numbered(60), 5),  # a heading too long to repeat
    ],
)
def test_every_token_is_owned_once(tokenizer: Tokenizer, text: str, count: int) -> None:
    made = windows(tokenizer, text, SIZE)
    owned = [int(number) for part in made for number in part.ids[part.own]]
    assert owned == tokenizer.encode(text, add_special_tokens=False).ids
    assert max(len(part.ids) for part in made) <= SIZE
    assert len(made) == count


def test_later_windows_begin_with_the_heading_and_what_came_before(tokenizer: Tokenizer) -> None:
    heading = tokenizer.encode("Snow > Drifts", add_special_tokens=False).ids
    first, second, *_ = windows(tokenizer, "Snow > Drifts\n" + numbered(100), SIZE)
    assert list(second.ids[1 : 1 + len(heading)]) == heading
    assert not second.own[: 1 + len(heading) + OVERLAP].any()
    repeated = second.ids[1 + len(heading) : 1 + len(heading) + OVERLAP]
    assert list(repeated) == list(first.ids[first.own][-OVERLAP:])


def test_hostile_length_is_bounded(tokenizer: Tokenizer) -> None:
    made = windows(tokenizer, "x " * 200_000, SIZE)
    assert len(made) == WINDOWS
    assert all(np.isfinite(part.ids).all() for part in made)
