"""Admission: which of the steps that a worker could take may start under their limits.

Called in the transaction that claims them, after their runs are locked. Running steps are counted
while the limits' rows are locked, so a limit is never exceeded; nothing has to be given back: a
step that has ended is not counted any more.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from backend.api.sql import query
from backend.engine.admission import WORKSPACE_KEY, Refusal, Room, Wanted, decide
from backend.engine.retry import MAX_RETRY_AFTER_S
from backend.limits import bounds
from backend.limits.aliases import Aliases, Place, aliases_in
from backend.limits.bounds import Bounds, buckets_of
from backend.limits.rates import AWAY_S, Bucket, RatesAway, rates


@dataclass(frozen=True)
class Candidate:
    """A ready step. Its workspace's limit concerns it whether it names it or not."""

    step_id: UUID
    workspace_id: UUID
    keys: Sequence[str]


@dataclass(frozen=True)
class Admission:
    """Who may start, in the order of the candidates, and why the others may not."""

    granted: list[UUID] = field(default_factory=list)
    refused: dict[UUID, Refusal[str]] = field(default_factory=dict)


def admit(candidates: Sequence[Candidate]) -> Admission:
    """Let candidates start in their order, as far as their limits have room.

    The tokens of rates are taken here: if the transaction fails they are lost, which errs on the
    careful side. Limits' rows stay locked until its end.
    """
    wanted = _wanted(candidates)
    bound = bounds.lock({place for one in wanted for place in one.keys})
    decision = decide(wanted, _rooms(bound))
    granted = set(decision.granted)
    late = _pay([one for one in wanted if one.id in granted], buckets_of(bound))
    refused = {**decision.refused, **late}
    return Admission(
        granted=[step_id for step_id in decision.granted if step_id not in late],
        refused={step_id: Refusal(no.key[1], no.retry_in_s) for step_id, no in refused.items()},
    )


def with_seats(candidates: Sequence[Candidate]) -> set[UUID]:
    """Tell for whom there are seats just now, whatever their rates. Others may be quicker."""
    wanted = _wanted(candidates)
    bound = bounds.find({place for one in wanted for place in one.keys})
    rooms = {place: Room(seats=seats) for place, seats in _free_seats(bound).items()}
    return set(decide(wanted, rooms).granted)


def penalise(*, workspace_id: UUID, keys: Sequence[str], seconds: float) -> None:
    """Let nothing start under these keys' rates for as long as a server has asked for.

    Keys without a rate are left alone: the step that was refused waits all the same.
    """
    places = [(workspace_id, key) for key in keys if key != WORKSPACE_KEY]
    named = aliases_in(places)
    buckets = buckets_of(bounds.find({named.get(place, place) for place in places}))
    if not buckets:
        return
    try:
        rates().shut(list(buckets.values()), min(seconds, MAX_RETRY_AFTER_S))
    except RatesAway:
        # The bucket is full again when Redis is back; then the server refuses once more.
        return


def _wanted(candidates: Sequence[Candidate]) -> list[Wanted[UUID, Place]]:
    named = aliases_in((one.workspace_id, key) for one in candidates for key in one.keys)
    return [Wanted(one.step_id, _places(one, named)) for one in candidates]


def _places(candidate: Candidate, named: Aliases) -> list[Place]:
    places = [(candidate.workspace_id, key) for key in (*candidate.keys, WORKSPACE_KEY)]
    return list(dict.fromkeys(named.get(place, place) for place in places))


# What is inside a container holds seats; the container itself runs without a session.
COUNT = """
SELECT s.workspace_id, k.key, count(*) FROM runs_step s
CROSS JOIN LATERAL unnest(array_append(array_remove(s.limits, 'workspace'), 'workspace')) AS k(key)
WHERE s.status = 'running' AND s.session_id IS NOT NULL AND s.workspace_id = ANY(%s)
GROUP BY 1, 2
"""


def _rooms(bound: Bounds) -> dict[Place, Room]:
    seats, buckets = _free_seats(bound), buckets_of(bound)
    tokens = _tokens(buckets)
    return {
        place: Room(
            seats=seats.get(place),
            tokens=tokens.get(place),
            every_s=buckets[place].every_s if place in buckets else 0.0,
            shut_s=AWAY_S if place in buckets and place not in tokens else None,
        )
        for place in bound
    }


def _free_seats(bound: Bounds) -> dict[Place, int]:
    most = {place: one.max_running for place, one in bound.items() if one.max_running is not None}
    if not most:
        return {}
    counted = query(COUNT, [list({workspace_id for workspace_id, _ in most})])
    named = aliases_in((workspace_id, key) for workspace_id, key, _ in counted)
    running: Counter[Place] = Counter()
    for workspace_id, key, count in counted:
        running[named.get((workspace_id, key), (workspace_id, key))] += count
    return {place: max(0, seats - running[place]) for place, seats in most.items()}


def _tokens(buckets: Mapping[Place, Bucket]) -> dict[Place, float]:
    """Read the buckets; none of them if Redis is away."""
    if not buckets:
        return {}
    try:
        levels = rates().levels(list(buckets.values()))
    except RatesAway:
        return {}
    return dict(zip(buckets, levels, strict=True))


def _pay(
    granted: Sequence[Wanted[UUID, Place]], buckets: Mapping[Place, Bucket]
) -> dict[UUID, Refusal[Place]]:
    """Take the tokens of those who may start. Who comes too late is refused after all.

    The rows are locked, so only a penalty, or a Redis that went away, can have come between.
    """
    numbers = {place: number for number, place in enumerate(buckets)}
    limited = {one.id: [key for key in one.keys if key in numbers] for one in granted}
    limited = {step_id: keys for step_id, keys in limited.items() if keys}
    if not limited:
        return {}
    takers = [[numbers[key] for key in keys] for keys in limited.values()]
    try:
        waits = rates().take(list(buckets.values()), takers)
    except RatesAway:
        waits = [AWAY_S] * len(takers)
    return {
        step_id: Refusal(keys[0], wait)
        for (step_id, keys), wait in zip(limited.items(), waits, strict=True)
        if wait
    }
