import pytest
import redis
from django.conf import LazySettings

from backend.limits import rates as rates_module
from backend.limits.models import Limit
from backend.limits.rates import AWAY_S, Bucket, Rates, RatesAway
from backend.limits.seats import penalise
from tests.integration.limits.work import Work, on_threads
from tests.services import TestServices

MODEL = "model:small"
#: Slow enough that no token comes while a test runs.
SLOW = 24 * 3600.0


def limit(work: Work, rate: int, per_s: float = SLOW, key: str = MODEL, **fields: object) -> Limit:
    target, _, name = key.partition(":")
    return Limit.objects.create(
        workspace=work.person.workspace, target=target, key=name, rate=rate, per_s=per_s, **fields
    )


def send_redis_away(settings: LazySettings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    rates_module.rates.cache_clear()


def test_a_full_bucket_gives_its_rate_and_then_makes_wait(work: Work) -> None:
    limit(work, 3)
    ready = work.add(5, MODEL)

    admission = work.claim(ready, MODEL)

    assert admission.granted == ready[:3]
    waits = [admission.refused[step_id].retry_in_s for step_id in ready[3:]]
    every = SLOW / 3
    assert waits == [pytest.approx(every, rel=0.01), pytest.approx(2 * every, rel=0.01)]
    assert work.claim(ready[3:], MODEL).granted == []


def test_tokens_are_used_up_and_do_not_come_back_when_a_step_ends(work: Work) -> None:
    limit(work, 2)
    first, second, third = work.add(3, MODEL)
    work.claim([first, second], MODEL)

    work.set_status([first, second], "succeeded")

    assert work.claim([third], MODEL).granted == []


def test_a_bucket_refills_all_the_time(empty_redis: redis.Redis) -> None:
    bucket = Bucket("b", rate=2, per_s=20)
    rates = Rates()
    rates.take([bucket], [[0], [0]])

    # As if it had been emptied six seconds ago: 0.6 tokens have come.
    at = float(empty_redis.hget("b", "at"))  # type: ignore[arg-type]
    empty_redis.hset("b", "at", str(at - 6))

    assert rates.levels([bucket]) == [pytest.approx(0.6, abs=0.1)]
    [wait] = rates.take([bucket], [[0]])
    assert wait == pytest.approx(4, abs=1)


def test_a_bucket_holds_no_more_than_its_rate(empty_redis: redis.Redis) -> None:
    bucket = Bucket("b", rate=2, per_s=1)
    rates = Rates()
    rates.take([bucket], [[0]])
    empty_redis.hset("b", "at", "0")

    assert rates.levels([bucket]) == [2]


def test_a_taker_gets_of_all_its_buckets_or_of_none(empty_redis: redis.Redis) -> None:
    rates, plenty, single = Rates(), Bucket("p", 5, SLOW), Bucket("s", 1, SLOW)

    waits = rates.take([plenty, single], [[0, 1], [0, 1], [0]])

    assert [wait == 0 for wait in waits] == [True, False, True]
    assert [round(level) for level in rates.levels([plenty, single])] == [3, 0]


def test_a_rate_that_refuses_leaves_its_seat_to_others(work: Work) -> None:
    limit(work, 1, key="model:slow")
    limit(work, 5, key="workspace", max_running=2)
    slow, other = work.add(2, "model:slow"), work.add(1, MODEL)
    work.claim(slow[:1], "model:slow")

    assert work.claim(slow[1:], "model:slow").granted == []
    assert work.claim(other, MODEL).granted == other


def test_takers_at_the_same_moment_get_no_token_twice(empty_redis: redis.Redis) -> None:
    bucket, rates = Bucket("b", 20, SLOW), Rates()
    waits: list[float] = []

    def take() -> None:
        for _ in range(10):
            waits.extend(rates.take([bucket], [[0]]))

    on_threads([take] * 5)

    assert len(waits) == 50
    assert waits.count(0) == 20


def test_a_changed_rate_holds_at_once(work: Work) -> None:
    slow = limit(work, 50)
    first, second = work.add(2, MODEL)
    work.claim([first], MODEL)

    slow.rate = 1
    slow.save()

    # One of the fifty was taken: of the new bucket, which holds one, one is left.
    assert work.claim([second], MODEL).granted == [second]
    assert work.claim(work.add(1, MODEL), MODEL).granted == []


def test_after_a_flush_the_bucket_is_full(work: Work, empty_redis: redis.Redis) -> None:
    limit(work, 1)
    work.claim(work.add(1, MODEL), MODEL)

    empty_redis.flushall()

    assert len(work.claim(work.add(2, MODEL), MODEL).granted) == 1


def test_without_redis_rates_wait_and_nothing_else_does(work: Work, settings: LazySettings) -> None:
    limit(work, 10)
    send_redis_away(settings)
    rated, free = work.add(2, MODEL), work.add(2, "model:other")

    refused = work.claim(rated, MODEL)

    assert refused.granted == []
    assert {refusal.retry_in_s for refusal in refused.refused.values()} == {AWAY_S}
    assert work.claim(free, "model:other").granted == free


def test_who_has_found_redis_away_does_not_ask_at_once_again(
    redis_server: TestServices, settings: LazySettings
) -> None:
    send_redis_away(settings)
    rates = Rates()
    with pytest.raises(RatesAway):
        rates.levels([Bucket("b", 1, 1)])
    asked: list[object] = []
    rates._script = lambda **_: asked.append(1)  # type: ignore[assignment]

    with pytest.raises(RatesAway):
        rates.levels([Bucket("b", 1, 1)])

    assert asked == []


def test_a_server_that_refuses_shuts_the_bucket_for_as_long_as_it_says(work: Work) -> None:
    limit(work, 10, per_s=1)

    penalise(workspace_id=work.workspace_id, keys=[MODEL, "workflow:w"], seconds=600)

    [refusal] = work.claim(work.add(1, MODEL), MODEL).refused.values()
    assert refusal.retry_in_s == pytest.approx(600, rel=0.1)


def test_the_longer_of_two_penalties_counts(work: Work) -> None:
    limit(work, 10, per_s=1)
    for seconds in (600, 5):
        penalise(workspace_id=work.workspace_id, keys=[MODEL], seconds=seconds)

    [refusal] = work.claim(work.add(1, MODEL), MODEL).refused.values()
    assert refusal.retry_in_s == pytest.approx(600, rel=0.1)


def test_after_a_penalty_one_may_start_at_once(empty_redis: redis.Redis) -> None:
    bucket, rates = Bucket("b", 10, SLOW), Rates()
    rates.shut([bucket], 600)

    at = float(empty_redis.hget("b", "at"))  # type: ignore[arg-type]
    empty_redis.hset("b", "at", str(at - 601))

    assert rates.take([bucket], [[0], [0]])[0] == 0
    assert rates.levels([bucket])[0] < 1


def test_a_penalty_does_not_hold_back_what_has_no_rate(work: Work) -> None:
    Limit.objects.create(
        workspace=work.person.workspace, target="model", key="small", max_running=5
    )

    penalise(workspace_id=work.workspace_id, keys=[MODEL], seconds=600)

    assert len(work.claim(work.add(1, MODEL), MODEL).granted) == 1


def test_a_penalty_without_redis_is_let_go(work: Work, settings: LazySettings) -> None:
    limit(work, 10)
    send_redis_away(settings)

    penalise(workspace_id=work.workspace_id, keys=[MODEL], seconds=600)


def test_a_penalty_that_comes_in_the_middle_of_a_claim_holds_too(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(work, 5)
    monkeypatch.setattr(Rates, "levels", lambda _rates, buckets: [5.0] * len(buckets))
    penalise(workspace_id=work.workspace_id, keys=[MODEL], seconds=60)

    admission = work.claim(work.add(2, MODEL), MODEL)

    assert admission.granted == []
    assert {refusal.key for refusal in admission.refused.values()} == {MODEL}


def test_a_bucket_nobody_uses_goes_away_when_it_is_full(empty_redis: redis.Redis) -> None:
    Rates().take([Bucket("b", 10, 60)], [[0], [0]])

    assert 12_000 < empty_redis.pttl("b") <= 13_500
