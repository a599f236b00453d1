"""The options of search and ask: filters, what is being read, and the question before.

Rules of this module: options become values here and nowhere else; imports that cost time wait for their use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, get_args

import click

from appliance.evidence import PlaceKind

if TYPE_CHECKING:
    from appliance.retrieval.ask import Filter, Reading

_OPTIONS = (
    click.option("--document", "documents", multiple=True, help="This document only (repeatable)."),
    click.option("--kind", "kinds", multiple=True, type=click.Choice(get_args(PlaceKind)),
                 help="Only places of this kind (repeatable)."),
    click.option("--tag", "tags", multiple=True, help="Only places about this material, structure, load or "
                 "discipline (repeatable; `appliance vocabularies list --tags`)."),
    click.option("--family", "families", multiple=True, help="Only codes of this family (repeatable)."),
    click.option("--edition", "editions", multiple=True, help="Only documents of this edition or year."),
    click.option("--normative/--informative", "normative", default=None, help="Only what binds, or only what "
                 "informs."),
    click.option("--after", default="", help="The question before, which this one may go on from."),
    click.option("--reading", default="", metavar="DOCUMENT[:LABEL]", help="What is open: what belongs to it "
                 "is raised, nothing is hidden."),
    click.option("--selected", default="", help="Text selected there."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Narrowed:
    """How a question is narrowed, what it goes on from, and what its user has open."""

    wanted: Filter
    after: str
    reading: Reading | None

    def search(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a search for a line of a batch, whose own `after` counts first."""
        after = row.get("after")
        return {
            "wanted": self.wanted,
            "after": after if isinstance(after, str) else self.after,
            "reading": self.reading,
        }


def narrowing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which is given them as `narrowed`."""

    @wraps(command)
    def with_narrowed(*args: Any, **values: Any) -> None:
        from appliance.retrieval.ask import Filter
        from appliance.retrieval.boosts import parse_reading

        names = ("documents", "kinds", "tags", "families", "editions", "normative")
        wanted = Filter(**{name: values.pop(name) for name in names})
        reading = parse_reading(values.pop("reading"), values.pop("selected"))
        command(*args, narrowed=Narrowed(wanted, values.pop("after"), reading), **values)

    for option in reversed(_OPTIONS):
        option(with_narrowed)
    return with_narrowed
