"""What candidates are judged with: the encoded question, the reranker, and how another one is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from appliance.core.evidence import Query
from appliance.models.protocols import EncodedQuery, Reranker


@dataclass(frozen=True, slots=True)
class Judges:
    """The question as encoded and the reranker, None where there is none.

    `read` reads and encodes another question, one inside the question; None where none can be.
    """

    encoded: EncodedQuery | None
    reranker: Reranker | None
    read: Callable[[str], tuple[Query, EncodedQuery | None]] | None = None
