from pathlib import Path

import pytest

from backend.accounts.models import ApiKey, User
from backend.workflows.models import Workflow
from backend.workflows.services.exchange import write_yaml
from backend.workflows.services.first_setup import SetupRefused, Wishes, set_up
from tests.integration.people import make_person, some_document, with_key

pytestmark = pytest.mark.django_db

KEY = "hdl_0123456789abcdefghij"


@pytest.fixture
def samples(tmp_path: Path) -> list[Path]:
    """Two sample documents."""
    paths = [tmp_path / "1-first.yaml", tmp_path / "2-second.yaml"]
    for path in paths:
        path.write_text(write_yaml(some_document(path.stem)), "utf-8")
    return paths


def test_the_first_start_makes_everything_and_tells_its_secrets(samples: list[Path]) -> None:
    made = set_up(wishes=Wishes(), samples=samples)

    user = User.objects.get()
    assert user.is_admin
    assert user.email == made.email
    assert user.check_password(made.password)
    rows = with_key(made.api_key).get("/api/v1/workflows/").json()["results"]
    assert [row["name"] for row in rows] == ["1-first", "2-second"]
    assert made.samples == 2


def test_the_second_start_changes_nothing(samples: list[Path]) -> None:
    set_up(wishes=Wishes(), samples=samples)
    Workflow.objects.all().delete()

    made = set_up(wishes=Wishes(email="other@example.org", password="x" * 12), samples=samples)

    assert (made.email, made.password, made.api_key, made.samples) == ("", "", "", 0)
    assert User.objects.count() == ApiKey.objects.count() == 1
    assert not Workflow.objects.exists()


def test_the_environment_names_login_and_key(samples: list[Path]) -> None:
    wishes = Wishes(email="Boss@Example.org", password="a long password", api_key=KEY)

    made = set_up(wishes=wishes, samples=samples)

    assert User.objects.get().email == "boss@example.org"
    assert User.objects.get().check_password("a long password")
    assert with_key(KEY).get("/api/v1/workflows/").status_code == 200
    assert (made.password, made.api_key) == ("", "")


def test_a_key_that_comes_later_is_added_once(samples: list[Path]) -> None:
    set_up(wishes=Wishes(), samples=samples)

    set_up(wishes=Wishes(api_key=KEY), samples=samples)
    set_up(wishes=Wishes(api_key=KEY), samples=samples)

    assert ApiKey.objects.count() == 2


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(email="nobody"),
        Wishes(password="short"),
        Wishes(api_key="sk-0123456789abcdefghij"),
        Wishes(api_key="hdl_short"),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_made(
    samples: list[Path], wishes: Wishes
) -> None:
    with pytest.raises(SetupRefused, match="HEDDLE_"):
        set_up(wishes=wishes, samples=samples)

    assert not User.objects.exists()


def test_an_account_that_exists_is_not_made_an_administrator(samples: list[Path]) -> None:
    make_person("mallory")

    with pytest.raises(SetupRefused, match="HEDDLE_ADMIN_EMAIL"):
        set_up(wishes=Wishes(email="mallory@example.org"), samples=samples)

    assert not User.objects.filter(is_superuser=True).exists()
