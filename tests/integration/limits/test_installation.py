import pytest
from django.conf import LazySettings
from django.conf import settings as django_settings

from tests.integration.people import Person, some_document

URL = "/api/v1/limits/installation/"


def test_every_bound_of_the_installation_is_shown_with_its_setting(
    alice: Person, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_MAP_ITEMS = 77

    shown = alice.browser.get(URL).json()["results"]

    bounds = {name for name in dir(django_settings) if name.startswith("HEDDLE_MAX_")}
    assert {row["name"] for row in shown} == bounds
    assert {row["name"]: row["value"] for row in shown}["HEDDLE_MAX_MAP_ITEMS"] == 77
    assert all(row["meaning"] for row in shown)


@pytest.mark.parametrize(
    ("setting", "value"), [("HEDDLE_MAX_NODES", 2), ("HEDDLE_MAX_DOCUMENT_BYTES", 100)]
)
def test_a_document_over_a_bound_is_refused_with_the_settings_name(
    alice: Person, settings: LazySettings, setting: str, value: int
) -> None:
    setattr(settings, setting, value)

    answer = alice.browser.post("/api/v1/workflows/", {"document": some_document()}, format="json")

    assert answer.status_code == 413
    assert setting in answer.json()["detail"]
