"""A value as JSON: a shape names the fields, and what is not given is read from the value by that name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

from appliance.core.document import Label, pages_of

Json = dict[str, Any]
Shape = TypeVar("Shape")


def shaped(shape: Callable[..., Shape], value: object, **given: object) -> Shape:
    """Return a value in a shape (a TypedDict); `given` are the fields that the value has not as they are.

    Raises:
        AttributeError: a field is neither given nor to be read from the value.
    """
    return cast("Shape", picked(shape.__annotations__, value, **given))


def picked(names: Iterable[str], value: object, **given: object) -> Json:
    """Return these fields of a value in their order."""
    return {name: given[name] if name in given else plain(_field(value, name)) for name in names}


def plain(value: object) -> Any:
    """Return a label as it is printed, a dataclass as an object, a tuple as a list, all else as it is."""
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _field(value: Any, name: str) -> object:
    """Return what a field holds; keys are those of labels, pages those of boxes, texts those of passages."""
    if hasattr(value, name):
        return getattr(value, name)
    match name:
        case "key":
            return value.label.key
        case "pages":
            return pages_of(value.boxes)
        case "page":
            return value.boxes[0].page if value.boxes else None  # what has no place has no page
        case "text":
            return value.passage.text
    label = getattr(value, name.removesuffix("_key"))
    return label.key if label else None
