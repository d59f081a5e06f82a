"""What maps and loops go over: a list, a count, a range, or pages of one of them."""

from collections.abc import Mapping, Sequence
from typing import Any, overload

from backend.engine.templates import holds_template

#: Ranges stay countable, whatever their ends are.
_MOST = 10**15
_RANGE_SIZE = 3

_KINDS = {str: "a text", dict: "an object", bool: "true or false", float: "a number with a point"}


class Pages(Sequence[Any]):
    """Slices of a sequence, made when they are asked for."""

    def __init__(self, items: Sequence[Any], size: int) -> None:
        self._items = items
        self._size = size

    def __len__(self) -> int:
        return (len(self._items) + self._size - 1) // self._size

    @overload
    def __getitem__(self, index: int) -> list[Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[Any]]: ...
    def __getitem__(self, index: int | slice) -> list[Any]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        start = range(len(self))[index] * self._size
        return list(self._items[start : start + self._size])


def items_of(value: Any) -> Sequence[Any]:
    """Give what a setting that was evaluated goes over; a range is not written out.

    Raises:
        ValueError: It is neither a list, nor a count, nor a range; says what to write instead.
    """
    match value:
        case list():
            return value
        case int() if not isinstance(value, bool):
            return range(_bounded(value))
        case {"range": part, **rest} if not rest:
            return range(*_range_numbers(part))
        case None:
            raise ValueError(
                "There is nothing to go over: the value is None, as the output of a skipped node "
                "is. Give a list, for example {{ nodes.search.output or [] }}."
            )
        case dict():
            raise ValueError(
                "A list is needed, and this is an object. Write {{ list(….items()) }} to go over "
                'its keys and values, or {"range": [start, stop, step]} for numbers.'
            )
        case _:
            raise ValueError(
                f"A list is needed, and this is {_KINDS.get(type(value), 'something else')}. Give "
                "a list, or a whole number to count to."
            )


def _range_numbers(part: Any) -> list[int]:
    numbers = part if isinstance(part, list) else [part]
    if not 1 <= len(numbers) <= _RANGE_SIZE:
        raise ValueError("A range has one to three numbers: [start, stop, step].")
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise ValueError("The numbers of a range are whole.")
    if len(numbers) == _RANGE_SIZE and numbers[2] == 0:
        raise ValueError("The step of a range is not 0.")
    return [_bounded(number) for number in numbers]


def _bounded(number: int) -> int:
    if abs(number) > _MOST:
        raise ValueError(f"Numbers up to {_MOST:,} can be counted to.")
    return number


def is_computed(value: Any) -> bool:
    """Whether what is gone over, or a number of its range, is known only in the run."""
    if isinstance(value, Mapping) and value.keys() == {"range"}:
        part = value["range"]
        return any(is_computed(number) for number in (part if isinstance(part, list) else [part]))
    return isinstance(value, str) and holds_template(value)


def written_count(value: Any, *, page_size: Any = None) -> int | None:
    """Count what a setting goes over, where the document alone tells."""
    if value is None or is_computed(value):
        return None
    try:
        items = items_of(value)
    except ValueError:
        return None
    is_paged = isinstance(page_size, int) and page_size > 0
    return len(Pages(items, page_size)) if is_paged else len(items)
