"""A run's events as lines for a terminal."""

from collections.abc import Mapping

from backend.engine.events import Event

MARKS = {
    "step.started": "▶",
    "step.succeeded": "✓",
    "step.failed": "✗",
    "step.retrying": "↻",
    "step.lost": "↻",
    "step.skipped": "»",
    "step.cancelled": "■",
    "step.waiting": "⧗",
    "run.started": "●",
    "run.succeeded": "✓",
    "run.failed": "✗",
    "run.cancelled": "■",
}


def describe(event: Event, names: Mapping[str, str], started: Event | None) -> str | None:
    """Write an event as a line; none for events that tell a person nothing."""
    mark = MARKS.get(event.type)
    if mark is None:
        return None
    at = event.at.strftime("%H:%M:%S")
    if event.node is None:
        return f"{at} {mark} run {event.type.removeprefix('run.')}"
    name = names.get(event.node, event.node)
    return f"{at} {mark} {name}{_detail(event, started)}"


def _detail(event: Event, started: Event | None) -> str:
    match event.type:
        case "step.succeeded" if started is not None:
            return f"  {(event.at - started.at).total_seconds():.2f} s"
        case "step.failed" | "step.retrying":
            again = "  again at " + str(event.data.get("not_before", ""))[11:19]
            message = f"  {event.data['error']['message']}"
            return message + (again if event.type == "step.retrying" else "")
        case "step.skipped" | "step.cancelled":
            return f"  {event.data.get('reason', '')}"
        case "step.waiting":
            return f"  until {str(event.data.get('until', ''))[11:19]}"
        case "step.lost":
            return "  its worker was lost; it runs again"
        case _:
            return ""
