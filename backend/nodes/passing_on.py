"""What a control node passes on: the output of its predecessor, or of all of them by name."""

from collections.abc import Mapping
from typing import Any


def passed_on(inputs: Mapping[str, Any]) -> Any:
    """Give the one output that arrived; several as an object by the ids they came from."""
    if len(inputs) == 1:
        return next(iter(inputs.values()))
    return dict(inputs) or None
