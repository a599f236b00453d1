"""Does a question need a language model, or does one clause or one cell decide it?

Rules of this module: decided by the answer without a model alone. In doubt a model is needed; without one
the answer is quoted either way.
"""

from __future__ import annotations

from appliance.answer.findings import holds_what_is_asked
from appliance.evidence import Answer, Grounded

DECIDED = frozenset({"value", "definition", "location", "reference", "figure", "requirement"})


def decides_alone(answer: Answer) -> bool:
    """Tell whether the first statement of an answer answers its question by itself."""
    if not isinstance(answer, Grounded) or not answer.statements:
        return True  # nothing was found, or nothing could be: there is nothing to write about
    query, first = answer.evidence.query, answer.statements[0]
    if answer.evidence.scope is not None:
        return True  # the graph has answered
    if len(answer.parts) > 1 or answer.conflicts or answer.gap or query.intent not in DECIDED:
        return False
    if not first.confirmed or answer.confidence.level == "low":
        return False
    places = {(c.document, c.label.key) for c in answer.citations if c.n in first.citations}
    return len(places) == 1 and (query.intent != "value" or holds_what_is_asked(query, first.text) >= 1)
