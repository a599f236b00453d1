"""Every failure that a person may meet, each writing its own sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class ApplianceError(Exception):
    """Something the user can act on; each kind of it says its exit code and HTTP status."""

    exit_code = 1
    http_status = 500

    def __init_subclass__(cls, exit_code: int | None = None, http_status: int | None = None) -> None:
        cls.exit_code = cls.exit_code if exit_code is None else exit_code
        cls.http_status = cls.http_status if http_status is None else http_status


class LibraryMissing(ApplianceError, exit_code=3, http_status=503):
    """No library at the path."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"There is no library at {path}. Build one with: appliance build FOLDER --library {path}"
        )


class LibraryUnreadable(ApplianceError, exit_code=4, http_status=503):
    """The file is not a library, or is damaged."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} cannot be read as a library ({why}). "
            f"Build it again with: appliance build FOLDER --library {path}"
        )


class LibraryReplaced(ApplianceError, exit_code=18, http_status=503):
    """The library was built again while it was open."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was built again while it was open. Start the program again to use it.")


class SchemaMismatch(ApplianceError, exit_code=5, http_status=503):
    """The library was written by another version of the program."""

    def __init__(self, path: Path, found: int, expected: int) -> None:
        super().__init__(
            f"{path} has library schema {found}; this program reads schema {expected}. "
            f"Build it again with: appliance build FOLDER --library {path}"
        )


class NothingToBuild(ApplianceError, exit_code=7, http_status=400):
    """No code that can be read among the given paths."""

    def __init__(self, paths: tuple[Path, ...], reasons: tuple[str, ...] = ()) -> None:
        names = ", ".join(map(str, paths)) or "the given paths"
        found = "no file that can be read" if reasons else "no PDF, HTML, Markdown or text file"
        super().__init__(
            " ".join(
                [
                    f"There is {found} in {names}.",
                    *(f"{_begun(reason).rstrip('.')}." for reason in reasons),
                    "Name a folder that holds the codes.",
                ]
            )
        )


def _begun(reason: str) -> str:
    """Return a reason as the beginning of a sentence; the name of a file stays as it is."""
    named = "." in reason.split(" ", 1)[0]
    return reason if named else f"{reason[:1].upper()}{reason[1:]}"


class UnknownDocument(ApplianceError, exit_code=8, http_status=404):
    """No document with this id is loaded."""

    def __init__(self, name: str, loaded: tuple[str, ...]) -> None:
        super().__init__(f"There is no document {name}. Loaded are: {', '.join(loaded) or 'none'}.")


class UnknownPlace(ApplianceError, exit_code=8, http_status=404):
    """The document has no item with this label, or one of another kind (`held`: clause, table, figure).

    `near` are the keys of the places next to where it would stand.
    """

    def __init__(self, document: str, label: str, held: str = "", near: Sequence[str] = ()) -> None:
        message = f"{document} has no clause, table or figure {label}."
        if near:
            message = f"{message} Nearest: {', '.join(near)}."
        if held:
            message = f'{label} of {document} is a {held}. See it with: appliance {held} {document} "{label}"'
        super().__init__(message)


class UnknownPage(UnknownPlace):
    """The document has no page of this number."""

    def __init__(self, document: str, number: int, last: int) -> None:
        ApplianceError.__init__(self, f"{document} has no page {number}; it has {last} pages.")


class UnknownNode(ApplianceError, exit_code=8, http_status=404):
    """Nothing in the graph of the library bears this name."""

    def __init__(self, written: str) -> None:
        super().__init__(
            f"Nothing that the documents speak of is called {written}. Name a thing, or a place "
            '("DOC Table 1.1").'
        )


class UnknownImage(ApplianceError, exit_code=8, http_status=404):
    """The library has no page image of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The library has no page image {name[:80]}.")


class BadQuestion(ApplianceError, exit_code=9, http_status=400):
    """The question cannot be searched."""


class QueryTooSlow(ApplianceError, exit_code=16, http_status=503):
    """A search of the library ran past its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The search was stopped after {seconds:g} s. Ask for one thing at a time, or raise "
            "query_seconds in the table [search] of the settings."
        )


class BadSettings(ApplianceError, exit_code=10):
    """The settings file is wrong."""


class BadInput(ApplianceError, exit_code=2, http_status=400):
    """A file or option given by the user cannot be used."""


class SiteUnusable(ApplianceError, exit_code=23, http_status=503):
    """The file of what people on site produce cannot be read or written."""

    def __init__(self, path: Path, why: str, mend: str = "") -> None:
        mend = mend or (
            "Questions are answered all the same. Free the place, move the file away, or name another as "
            "site.file in the settings."
        )
        super().__init__(f"{path} cannot be used to keep notes ({why}). {mend}")


class SavedFull(ApplianceError, exit_code=29, http_status=409):
    """As many answers are saved as the settings allow."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"This box keeps at most {most} saved answers, and has as many. Remove one that is no longer "
            "needed, or print this one."
        )


class UnknownSaved(ApplianceError, exit_code=30, http_status=404):
    """There is no saved answer of this key."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"There is no saved answer {key[:20]!r}: it was removed, or never saved here. "
            "Choose one from the list of saved answers."
        )


class UnreadableUpload(ApplianceError, exit_code=24, http_status=422):
    """A document whose references should be checked cannot be read."""

    def __init__(self, name: str, why: str, *, too_big: bool = False) -> None:
        super().__init__(f"{name or 'The text'} was not read: {why.rstrip('. ')}.")
        if too_big:
            self.http_status = 413


class LibraryBusy(ApplianceError, exit_code=22):
    """Another build writes this library."""

    def __init__(self, path: Path, process: str) -> None:
        who = f"process {process}" if process else "another process"
        super().__init__(f"{path} is being built by {who}. Wait until it has ended, then build again.")


class CannotWrite(ApplianceError, exit_code=19):
    """A file cannot be written where it was asked for; `mend` says what to do, for a library by default."""

    def __init__(self, path: Path | str, why: str, mend: str = "") -> None:
        usual = "Free the place, or name another with: appliance build FOLDER --library FILE"
        super().__init__(f"{path} cannot be written ({why}). {mend or usual}")


class UpdateRefused(ApplianceError, exit_code=25):
    """A bundle is not taken on, or an update did not work; `code` is the reason (update/words.py).

    `facts` are what was put into the sentence, None for one that is of no reason alone.
    """

    def __init__(self, code: str, sentence: str, facts: dict[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.facts = facts


class HomeUnusable(ApplianceError, exit_code=26):
    """The home of the box is missing, or what lies there cannot be used."""

    def __init__(self, home: Path, why: str, mend: str = "") -> None:
        usual = f"Make one with: appliance update init --home {home} --root FILE"
        super().__init__(f"{home} cannot be used as the home of a box ({why}). {mend or usual}")


class AmbiguousLabel(ApplianceError, exit_code=20, http_status=400):
    """Several places print this label; `told` has of each how to write it, its page, what stands over it."""

    def __init__(self, document: str, label: str, told: Sequence[tuple[str, int, str]]) -> None:
        self.document = document
        self.told = tuple(told)
        self.said = f"{document} has {len(told)} places called {label}."
        each = "; ".join(f"{way} (page {page}{f', {over}' if over else ''})" for way, page, over in told)
        super().__init__(f"{self.said} Write which one: {each}.")


class PortTaken(ApplianceError, exit_code=11):
    """Another program listens where the page should."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(
            f"The page cannot listen on {host}, port {port} ({why}). "
            f"Choose another port with: appliance serve --port {port + 1 if port < 65_535 else 8080}"
        )


class ExtraMissing(ApplianceError, exit_code=21):
    """A command needs packages that only an extra of the program installs."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(
            f"The package {package} is not installed. Install it with: pip install -e '.[{extra}]'"
        )


class ClusterUnusable(ApplianceError, exit_code=32):
    """A cluster cannot be reached, was lost, or cannot do the work."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(
            f"The cluster at {address} cannot be used: {why}. What was read is kept; "
            "run the same command again, with or without --scheduler."
        )


class QualityFell(ApplianceError, exit_code=13):
    """An evaluation is worse than its baseline by more than the tolerance."""


class ModelMissing(ApplianceError, exit_code=6, http_status=503):
    """A model that is needed is not installed."""

    def __init__(self, name: str, path: Path, mend: str = "") -> None:
        super().__init__(
            f"The model {name} is not installed ({path} is missing). "
            + (mend or f"Install it with: appliance models fetch {name}")
        )


class ModelDamaged(ApplianceError, exit_code=6, http_status=503):
    """A model file is not the one that the catalogue names."""

    def __init__(self, name: str, path: Path, mend: str = "") -> None:
        super().__init__(
            f"The model {name} is damaged ({path} does not match the recorded sha256). "
            + (mend or f"Fetch it again with: appliance models fetch {name} --force")
        )


class ModelUnusable(ApplianceError, exit_code=6, http_status=503):
    """A model file is whole but does not do what the catalogue says of it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The model {name} cannot be used: {why}. Choose another model in the settings; "
            "those installed are listed by: appliance models list"
        )


class GenerationFailed(ApplianceError, exit_code=27, http_status=503):
    """The language model did not do its work; never the same as "not found"."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The language model {name} failed: {why}. Search and quoted answers work without it; "
            "see its state with: appliance doctor"
        )


class PromptTooLong(ApplianceError, exit_code=28, http_status=400):
    """What the model should read does not fit its context; sizes in tokens."""

    def __init__(self, name: str, needed: int, context: int) -> None:
        super().__init__(
            f"{needed} tokens do not fit the context of {context} tokens that the language model {name} has. "
            "Give it less to read, or raise context_tokens in the table [llm] of the settings."
        )


class FetchFailed(ApplianceError, exit_code=14, http_status=502):
    """A model file could not be brought from its origin."""

    def __init__(self, name: str, address: str, why: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched from {address}: {why}. What arrived so far is kept "
            f"where it can be used; go on with: appliance models fetch {name}"
        )


class CrawlFailed(ApplianceError, exit_code=31):
    """A site could not be brought at all."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(
            f"{address} was not crawled: {why.rstrip('. ')}. What an earlier crawl brought is still there."
        )


class ExportRefused(ApplianceError, exit_code=15):
    """An exported model is too far from the original, or cannot be exported here."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"The model {name} was not exported: {why}.")


class ModelMismatch(ApplianceError, exit_code=6, http_status=503):
    """The library was built with another embedding model than the one installed."""

    def __init__(self, built_with: str, installed: str) -> None:
        super().__init__(
            f"The library was built with the embedding model {built_with}, but {installed} is "
            "installed. Build the library again, or choose that model in the settings."
        )
