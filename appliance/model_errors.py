"""What can fail with a model, each failure writing its own sentence.

Rules of this module: those of `errors.py`.
"""

from __future__ import annotations

from pathlib import Path

from appliance.errors import ApplianceError


class ModelMissing(ApplianceError):
    """A model that is needed is not installed."""

    exit_code = 6
    http_status = 503

    def __init__(self, name: str, path: Path, mend: str = "") -> None:
        super().__init__(
            f"The model {name} is not installed ({path} is missing). "
            + (mend or f"Install it with: appliance models fetch {name}")
        )


class ModelDamaged(ApplianceError):
    """A model file is not the one that the catalogue names."""

    exit_code = 6
    http_status = 503

    def __init__(self, name: str, path: Path, mend: str = "") -> None:
        super().__init__(
            f"The model {name} is damaged ({path} does not match the recorded sha256). "
            + (mend or f"Fetch it again with: appliance models fetch {name} --force")
        )


class ModelUnusable(ApplianceError):
    """A model file is whole but does not do what the catalogue says of it."""

    exit_code = 6
    http_status = 503

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The model {name} cannot be used: {why}. Choose another model in the settings; "
            "those installed are listed by: appliance models list"
        )


class GenerationFailed(ApplianceError):
    """The language model did not do its work; never the same as "not found"."""

    exit_code = 27
    http_status = 503

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The language model {name} failed: {why}. Search and quoted answers work without it; "
            "see its state with: appliance doctor"
        )


class PromptTooLong(ApplianceError):
    """What the model should read does not fit its context; sizes in tokens."""

    exit_code = 28
    http_status = 400

    def __init__(self, name: str, needed: int, context: int) -> None:
        super().__init__(
            f"{needed} tokens do not fit the context of {context} tokens that the language model {name} has. "
            "Give it less to read, or raise context_tokens in the table [llm] of the settings."
        )


class FetchFailed(ApplianceError):
    """A model file could not be brought from its origin."""

    exit_code = 14
    http_status = 502

    def __init__(self, name: str, address: str, why: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched from {address}: {why}. What arrived so far is kept "
            f"where it can be used; go on with: appliance models fetch {name}"
        )


class ExportRefused(ApplianceError):
    """An exported model is too far from the original, or cannot be exported here."""

    exit_code = 15

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"The model {name} was not exported: {why}.")


class ModelMismatch(ApplianceError):
    """The library was built with another embedding model than the one installed."""

    exit_code = 6
    http_status = 503

    def __init__(self, built_with: str, installed: str) -> None:
        super().__init__(
            f"The library was built with the embedding model {built_with}, but {installed} is "
            "installed. Build the library again, or choose that model in the settings."
        )
