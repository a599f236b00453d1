"""The steps of reading one document, run so that what fails costs no more than it must.

Rules of this module: a step that fails is a problem, never the document's end; where it can be told
which page it fails on, that page alone is lost, and is named. Its traceback is logged as a warning, for
whoever mends the step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from appliance.document import Problem
from appliance.ingest.page import Found, PageLayout

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
Page = TypeVar("Page")

MOST_LOST = 8  # pages that a step may cost one by one; a step that fails on more has failed


@dataclass(slots=True)
class Steps:
    """Runs the steps of one document and gathers what failed in them."""

    problems: list[Problem] = field(default_factory=list)

    def run(self, name: str, step: Callable[[], Result], otherwise: Result) -> Result:
        """Return the result of a step, or the other one with a problem where it fails."""
        try:
            return step()
        except Exception as error:  # noqa: BLE001 - a step that fails is reported, never the document's end
            _LOG.warning("reading %s failed", name, exc_info=True)
            self.problems.append(Problem(f"The {name} could not be read ({_words(error)})."))
            return otherwise

    def leaving_out(
        self,
        name: str,
        step: Callable[[Sequence[Page]], Result],
        pages: Sequence[Page],
        blank: Callable[[Page], Page],
        otherwise: Result,
    ) -> Result:
        """Return the result of a step that needs all pages at once, those that it fails on left blank.

        `pages` are those of the document in order; the first is page 1.
        """
        kept, lost = list(pages), set[int]()
        while True:
            try:
                return step(kept)
            except Exception as error:  # noqa: BLE001 - whatever failed, the page that causes it is looked for
                _LOG.warning("reading %s failed", name, exc_info=True)
                page = _first_failing(step, kept)
                if page in lost or len(lost) == MOST_LOST:
                    self.problems.append(Problem(f"The {name} could not be read ({_words(error)})."))
                    return otherwise
                message = f"The {name} of page {page} could not be read ({_words(error)})."
                self.problems.append(Problem(message, page))
                lost.add(page)
                kept[page - 1] = blank(kept[page - 1])

    def by_page(
        self,
        name: str,
        find: Callable[[Sequence[PageLayout]], Found[Result]],
        layouts: Sequence[PageLayout],
    ) -> Found[Result]:
        """Return what is found in all pages at once or, where that fails, page by page."""
        try:
            return find(layouts)
        except Exception:  # noqa: BLE001 - whatever failed, the pages are tried one by one
            _LOG.warning("finding %s failed on the whole document", name, exc_info=True)
        items: list[Result] = []
        taken: frozenset[tuple[int, int]] = frozenset()
        for page in layouts:
            try:
                found = find([page])
            except Exception as error:  # noqa: BLE001 - whatever failed, only this page is lost
                number = page.content.number
                _LOG.warning("finding %s failed on page %d", name, number, exc_info=True)
                message = f"The {name} of page {number} could not be read ({_words(error)})."
                self.problems.append(Problem(message, number))
                continue
            items += found.items
            taken |= found.taken
            self.problems += found.problems
        return Found(tuple(items), taken)


def _first_failing(step: Callable[[Sequence[Page]], object], pages: Sequence[Page]) -> int:
    """Return how many of the first pages the step needs to fail: the last of them is to blame."""
    low, high = 0, len(pages)  # it does not fail on the first `low` pages, but on the first `high`
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(pages[:middle])
        except Exception:  # noqa: BLE001 - that it fails is what is asked
            high = middle
        else:
            low = middle
    return high


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
