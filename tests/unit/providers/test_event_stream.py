from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.providers.event_stream import EventData

STREAM = (
    ": a comment\n\n"
    "data: one\n\n"
    "event: delta\nid: 7\ndata:two\ndata:  three\nretry: 5\n\n\n"
    "event: ping\n\n"
    "data\n\n"
    "data: vier ✓\n\n"
    "data: never finished\n"
)
EVENTS = [b"one", b"two\n three", b"", "vier ✓".encode()]


@given(
    cuts=st.lists(st.integers(min_value=0, max_value=2 * len(STREAM)), max_size=30),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_events_are_the_same_however_the_stream_is_cut(cuts: list[int], end: str) -> None:
    content = STREAM.replace("\n", end).encode()
    places = sorted({0, len(content), *(cut for cut in cuts if cut < len(content))})
    events = EventData()

    found = [data for start, stop in pairwise(places) for data in events.feed(content[start:stop])]

    assert found == EVENTS


@pytest.mark.parametrize("part", [b"", b"data: x", b"\n", b": comment\n\n", b"other: y\n\n"])
def test_what_completes_no_event_gives_nothing(part: bytes) -> None:
    assert EventData().feed(part) == []
