import pytest
from django.conf import LazySettings
from rest_framework.test import APIClient

from tests.integration.people import Person

TOKEN = "metrics-token-0123456789"


def test_the_process_says_that_it_lives(stranger: APIClient) -> None:
    assert stranger.get("/healthz").json() == {"status": "ok"}


def test_the_installation_is_ready_with_its_database_tables_and_redis(
    stranger: APIClient, db: None
) -> None:
    answer = stranger.get("/readyz")

    assert answer.status_code == 200
    assert answer.json()["checks"] == {"database": True, "migrations": True, "redis": True}


def test_the_installation_is_not_ready_without_redis(
    stranger: APIClient, db: None, settings: LazySettings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    answer = stranger.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["checks"]["redis"] is False


@pytest.mark.parametrize("header", [None, "Bearer wrong", f"Basic {TOKEN}", "Bearer "])
def test_metrics_are_not_for_everybody(
    stranger: APIClient, alice: Person, settings: LazySettings, header: str | None
) -> None:
    settings.HEDDLE_METRICS_TOKEN = TOKEN
    headers = {"Authorization": header} if header else {}

    assert stranger.get("/metrics", headers=headers).status_code == 401
    assert alice.browser.get("/metrics", headers=headers).status_code == 401


def test_without_a_token_no_header_opens_the_metrics(
    stranger: APIClient, db: None, settings: LazySettings
) -> None:
    settings.HEDDLE_METRICS_TOKEN = ""

    assert stranger.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 401


def test_the_token_or_an_administrator_reads_the_metrics(
    stranger: APIClient, ada: Person, settings: LazySettings
) -> None:
    settings.HEDDLE_METRICS_TOKEN = TOKEN

    by_token = stranger.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    by_person = ada.browser.get("/metrics")

    for answer in (by_token, by_person):
        assert answer.status_code == 200
        text = answer.content.decode()
        assert 'heddle_runs{status="running"} 0.0' in text
        assert 'heddle_service_up{service="postgres"} 1.0' in text
