"""Lanes: classes of workers. A lane's name is the name of its Celery queue."""

from collections.abc import Iterable

IO = "io"
LANES = (IO,)


def lane_of(queues: Iterable[str]) -> str:
    """The lane of a worker that consumes these queues.

    Raises:
        ValueError: It consumes no lane, or several.
    """
    lanes = [name for name in queues if name in LANES]
    if len(lanes) != 1:
        raise ValueError(
            f"A worker serves one lane; start it with -Q and one of: {', '.join(LANES)}."
        )
    return lanes[0]


def slots_of(lane: str, *, io_slots: int) -> int:
    """How many steps one process of a lane runs at once."""
    match lane:
        case "io":
            return io_slots
        case _:
            raise ValueError(f"no such lane: {lane}")
