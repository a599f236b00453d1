"""The examples of the prompt teach what the checks confirm."""

from __future__ import annotations

import re

from appliance.answer.write.checking import check
from appliance.answer.write.draft import drafts
from appliance.models.prompts import load_prompt
from tests.answer.writing.makers import sentence


def test_every_statement_of_an_example_is_confirmed_by_what_it_cites() -> None:
    checked = 0
    for example in load_prompt("answer").examples:
        lines = re.findall(r"^(S\d+) \[(.*?)\] (.*)$", example.user, re.MULTILINE)
        known = {name: sentence(text, label) for name, label, text in lines}
        for draft in drafts(example.assistant, known, whole=True) or ():
            assert not draft.unknown
            assert not check(draft.text, [known[name] for name in draft.ids]), draft.text
            checked += 1
    assert checked
