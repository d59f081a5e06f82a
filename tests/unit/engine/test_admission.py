from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from backend.engine.admission import Refusal, Room, Wanted, decide

KEYS = st.sampled_from("abcd")
WANTED = st.lists(st.lists(KEYS, max_size=3).map(tuple), max_size=30).map(
    lambda lists: [Wanted(number, keys) for number, keys in enumerate(lists)]
)
ROOMS = st.dictionaries(
    KEYS,
    st.builds(
        Room,
        seats=st.none() | st.integers(0, 6),
        tokens=st.none() | st.floats(-10, 6),
        every_s=st.floats(0.01, 10),
        shut_s=st.none() | st.floats(0.1, 2),
    ),
)


def granted_per_key(wanted: Sequence[Wanted[int, str]], granted: list[int]) -> Counter[str]:
    return Counter(key for number in granted for key in set(wanted[number].keys))


def is_closed(room: Room, taken: int) -> bool:
    return (
        room.shut_s is not None
        or (room.seats is not None and taken >= room.seats)
        or (room.tokens is not None and room.tokens - taken < 1)
    )


@given(WANTED, ROOMS)
def test_no_limit_is_ever_exceeded(wanted: list[Wanted[int, str]], rooms: dict[str, Room]) -> None:
    taken = granted_per_key(wanted, decide(wanted, rooms).granted)

    for key, room in rooms.items():
        assert room.seats is None or taken[key] <= room.seats
        assert room.tokens is None or taken[key] <= max(0.0, room.tokens)
        assert room.shut_s is None or taken[key] == 0


@given(WANTED, ROOMS)
def test_nobody_is_refused_while_there_is_room_for_it(
    wanted: list[Wanted[int, str]], rooms: dict[str, Room]
) -> None:
    decision = decide(wanted, rooms)
    taken = granted_per_key(wanted, decision.granted)

    for number, refusal in decision.refused.items():
        assert refusal.key in wanted[number].keys
        assert is_closed(rooms[refusal.key], taken[refusal.key])
    assert sorted([*decision.granted, *decision.refused]) == [one.id for one in wanted]


@given(WANTED, ROOMS)
def test_nobody_overtakes_another_under_the_same_limits(
    wanted: list[Wanted[int, str]], rooms: dict[str, Room]
) -> None:
    decision = decide(wanted, rooms)

    assert decision.granted == sorted(decision.granted)
    for refused in decision.refused:
        for granted in decision.granted:
            behind = granted > refused
            assert not (behind and set(wanted[granted].keys) >= set(wanted[refused].keys))


@given(WANTED, ROOMS)
def test_who_waits_for_a_rate_is_told_how_long_and_who_waits_for_a_seat_is_not(
    wanted: list[Wanted[int, str]], rooms: dict[str, Room]
) -> None:
    decision = decide(wanted, rooms)
    taken = granted_per_key(wanted, decision.granted)

    for refusal in decision.refused.values():
        room = rooms[refusal.key]
        if refusal.retry_in_s is None:
            assert room.seats is not None
            assert taken[refusal.key] == room.seats
        else:
            assert refusal.retry_in_s > 0


def test_those_who_wait_for_tokens_are_called_one_after_the_other() -> None:
    wanted = [Wanted(number, ("model:m",)) for number in range(4)]

    decision = decide(wanted, {"model:m": Room(tokens=1.5, every_s=2.0)})

    assert decision.granted == [0]
    assert [refusal.retry_in_s for refusal in decision.refused.values()] == [1.0, 3.0, 5.0]


def test_a_bucket_that_cannot_be_asked_lets_nobody_through() -> None:
    decision = decide([Wanted("s", ("a",))], {"a": Room(tokens=5, every_s=1, shut_s=1.0)})

    assert decision.refused == {"s": Refusal("a", 1.0)}


def test_the_longest_of_several_waits_counts() -> None:
    rooms = {"a": Room(tokens=0, every_s=1), "b": Room(tokens=0, every_s=5)}

    assert decide([Wanted("s", ("a", "b"))], rooms).refused == {"s": Refusal("b", 5.0)}


def test_a_step_that_names_a_limit_twice_takes_one_seat() -> None:
    rooms = {"a": Room(seats=2)}

    assert decide([Wanted(1, ("a", "a")), Wanted(2, ("a",))], rooms).granted == [1, 2]
