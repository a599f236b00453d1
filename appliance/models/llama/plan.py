"""What is started for a model: its files, checked, and the limits of its process.

Rules of this module: a file is looked at before llama.cpp sees it, and memory is asked for before it is
needed: what loading would find out after a while, or not survive, is said at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psutil

from appliance.models.llama.gguf import read_model, read_projector

RESERVE_MIB = 256  # of interpreter and library


@dataclass(frozen=True, slots=True)
class Plan:
    """What is started: the model's file, checked, and its limits. `memory_mib` 0 means no bound.

    `projector` is a second file, checked as well, with which the model sees pictures.
    """

    name: str
    path: Path
    sha256: str
    context: int
    threads: int
    memory_mib: int
    states: Path
    states_mib: int
    start_seconds: float
    silent_seconds: float
    projector: Path | None = None

    @property
    def size_mib(self) -> int:
        """Return how large the files are."""
        files = (self.path, self.projector) if self.projector else (self.path,)
        return sum(file.stat().st_size for file in files) >> 20


def lacking(plan: Plan) -> str:
    """Return which memory a plan lacks, "" for none; raises NotModel for files that are none."""
    head = read_model(plan.path)
    if plan.projector:
        read_projector(plan.projector, head)
    kept = head.kept_bytes(min(plan.context, head.context or plan.context)) >> 20
    needed = plan.size_mib + kept + RESERVE_MIB
    free = psutil.virtual_memory().available >> 20
    if needed > free:
        return f"it needs {needed} MiB of memory, and {free} MiB are free"
    if plan.memory_mib and needed > plan.memory_mib:
        return f"it needs {needed} MiB of memory, and may fill {plan.memory_mib} (memory_mib in [llm])"
    return ""
