from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.json_values import NotJson, TooLarge, storable, storable_text, to_json

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(values)
def test_what_was_made_storable_is_json_unless_a_number_is_infinite(value: Any) -> None:
    cleaned = storable(value)

    if "inf" not in repr(cleaned):
        assert to_json(cleaned) == cleaned


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ({1, 2}, "sorted"),
        (b"x", "decode"),
        (float("nan"), "no JSON number"),
        (float("-inf"), "no JSON number"),
        ({1: 2}, "str"),
        (10**400, "digits"),
        ("a\x00", "NUL"),
        ({"a\x00": 1}, "NUL"),
        ("\ud800", "surrogate"),
        (object(), "no JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_advice(value: Any, advice: str) -> None:
    with pytest.raises(NotJson, match=advice):
        to_json([value])


def test_tuples_become_lists() -> None:
    assert to_json({"a": (1, (2,))}) == {"a": [1, [2]]}


def test_size_and_depth_are_bounded() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]

    with pytest.raises(NotJson, match="deep"):
        to_json(deep)
    with pytest.raises(NotJson, match="deep"):
        storable(deep)
    with pytest.raises(TooLarge):
        to_json(["x" * 50] * 3, max_bytes=100)


def test_nul_and_half_pairs_are_replaced() -> None:
    assert storable_text("a\x00b\ud800é") == "a\ufffdb?é"
    assert storable({"\x00": ["\x00", 1]}) == {"\ufffd": ["\ufffd", 1]}
