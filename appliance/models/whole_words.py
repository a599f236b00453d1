"""The whole words that the encoder which ships knows: words that are spelt as English is.

Rules of this module: read from the file of its tokenizer, once; where that is not there, or is of another
form, no word is known. Pieces of words ("##ing"), names of signs and words in capitals are none.
"""

from __future__ import annotations

import json
from functools import cache

from appliance.errors import ApplianceError
from appliance.models.entries import entry_named, folder_of
from appliance.settings import ModelSettings


@cache
def whole_words() -> frozenset[str]:
    """Return the words of the vocabulary of the encoder that ships."""
    settings = ModelSettings()
    try:
        entry = entry_named(settings, settings.embedder)
        text = (folder_of(settings, entry) / entry.tokenizer).read_text(encoding="utf-8")
        known = json.loads(text)["model"]["vocab"]
    except (ApplianceError, OSError, ValueError, LookupError, TypeError):
        return frozenset()
    return frozenset(word for word in known if word.isalpha() and word.islower())
