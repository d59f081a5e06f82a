"""Server-sent events, the form in which model endpoints stream their answers."""


class EventData:
    """Takes a stream apart; of an event only its data is given."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._ended_with_cr = False

    def feed(self, part: bytes) -> list[bytes]:
        """Give the data of the events that `part` completes."""
        if self._ended_with_cr or b"\r" in part:
            part = self._with_plain_ends(part)
        # The part that was searched before holds no end, but may hold half of one.
        start = max(0, len(self._rest) - 1)
        self._rest += part
        if self._rest.find(b"\n\n", start) < 0:
            return []
        *events, rest = bytes(self._rest).split(b"\n\n")
        self._rest = bytearray(rest)
        return [data for event in events if (data := _data_of(event)) is not None]

    def _with_plain_ends(self, part: bytes) -> bytes:
        if self._ended_with_cr and part.startswith(b"\n"):
            part = part[1:]
        self._ended_with_cr = part.endswith(b"\r")
        return part.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _data_of(event: bytes) -> bytes | None:
    """Put the data lines of an event together; None if it has none."""
    if b"\n" not in event:
        return _value_of(event)
    lines = [value for line in event.split(b"\n") if (value := _value_of(line)) is not None]
    return b"\n".join(lines) if lines else None


def _value_of(line: bytes) -> bytes | None:
    if line == b"data":
        return b""
    if not line.startswith(b"data:"):
        return None
    return line[6:] if line.startswith(b"data: ") else line[5:]
