"""Limits of what steps use because it is the default."""

from typing import Any

import pytest

from backend.credentials.models import Credential
from backend.limits.bounds import limited_keys
from backend.limits.models import Limit
from backend.limits.seats import penalise
from tests.integration.limits.work import Work

DEFAULTS = ("credential:default", "model:default")


def endpoint(work: Work, *, default: bool = True, **fields: object) -> Credential:
    return Credential.objects.create(
        workspace=work.person.workspace, kind="openai", name="E", is_default=default, **fields
    )


def limit(work: Work, target: str, key: object, **fields: object) -> None:
    Limit.objects.create(workspace=work.person.workspace, target=target, key=str(key), **fields)


def test_a_limit_of_the_default_credential_holds_for_steps_that_name_none(work: Work) -> None:
    limit(work, "credential", endpoint(work).id, max_running=2)
    work.add(1, *DEFAULTS, status="running")
    ready = work.add(3, *DEFAULTS)

    assert work.claim(ready, *DEFAULTS).granted == ready[:1]


def test_who_names_the_credential_and_who_does_not_share_its_seats(work: Work) -> None:
    credential = endpoint(work)
    limit(work, "credential", credential.id, max_running=3)
    work.add(1, *DEFAULTS, status="running")
    work.add(1, f"credential:{credential.id}", status="running")

    refused = work.claim(work.add(2, *DEFAULTS), *DEFAULTS).refused

    assert [refusal.key for refusal in refused.values()] == [f"credential:{credential.id}"]


@pytest.mark.parametrize("models", [{"default_model": "m"}, {"model_names": ["m", "n"]}])
def test_a_limit_of_a_model_holds_where_it_is_the_default(
    work: Work, models: dict[str, Any]
) -> None:
    other = endpoint(work, default=False, **models)
    endpoint(work, **models)
    limit(work, "model", "m", max_running=2)
    by_other = f"model:default:{other.id}"
    work.add(1, by_other, status="running")

    assert len(work.claim(work.add(2, *DEFAULTS), *DEFAULTS).granted) == 1
    assert work.claim(work.add(1, by_other), by_other).granted == []


def test_another_default_takes_over_at_once(work: Work) -> None:
    first = endpoint(work)
    limit(work, "credential", first.id, max_running=1)
    work.add(1, *DEFAULTS, status="running")
    Credential.objects.update(is_default=False)
    endpoint(work)

    assert len(work.claim(work.add(2, *DEFAULTS), *DEFAULTS).granted) == 2


def test_aliases_of_what_is_limited_are_told_with_it(work: Work) -> None:
    credential = endpoint(work, default_model="m")
    assert limited_keys([work.workspace_id]) == {}

    limit(work, "credential", credential.id, max_running=1)

    assert limited_keys([work.workspace_id]) == {
        work.workspace_id: {f"credential:{credential.id}", "credential:default"}
    }


def test_a_limit_shows_what_uses_it_as_the_default(work: Work) -> None:
    limit(work, "credential", endpoint(work).id, max_running=1)
    work.add(1, *DEFAULTS, status="running")
    work.add(2, *DEFAULTS)

    [row] = work.person.browser.get("/api/v1/limits/").json()["results"]

    assert (row["running"], row["waiting"]) == (1, 2)


def test_a_server_that_refuses_the_default_credential_shuts_its_bucket(work: Work) -> None:
    limit(work, "credential", endpoint(work).id, rate=10, per_s=1)

    penalise(workspace_id=work.workspace_id, keys=DEFAULTS, seconds=600)

    assert work.claim(work.add(1, *DEFAULTS), *DEFAULTS).granted == []
