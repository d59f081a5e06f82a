import base64
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from backend.config import env

ROOT = Path(__file__).resolve().parents[3]
GOOD_KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "short",
        "x" * 64,
        "please-change-me-before-you-go-to-production",
        "django-insecure-0123456789abcdefghijklmnopqrstuvw",
    ],
)
def test_a_missing_short_or_placeholder_secret_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("SOME_SECRET", raising=False)
    if value is not None:
        monkeypatch.setenv("SOME_SECRET", value)

    with pytest.raises(ImproperlyConfigured, match="SOME_SECRET"):
        env.secret("SOME_SECRET")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "k1",
        "k1:",
        "k1:not base64",
        f"k1:{base64.b64encode(b'too short').decode()}",
        f"k1:{base64.b64encode(bytes(32)).decode()}",
        f":{GOOD_KEY}",
        f"k1:{GOOD_KEY},k1:{GOOD_KEY}",
        f"a|b:{GOOD_KEY}",
    ],
)
def test_a_key_ring_that_could_not_protect_is_refused(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("RING", value)

    with pytest.raises(ImproperlyConfigured, match="RING"):
        env.key_ring("RING")


def test_the_first_key_of_the_ring_encrypts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RING", f"new:{GOOD_KEY}, old:{GOOD_KEY}")

    assert list(env.key_ring("RING")) == ["new", "old"]


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda: env.boolean("IT", default=False), "maybe"),
        (lambda: env.integer("IT", default=1, minimum=1, maximum=9), "10"),
        (lambda: env.integer("IT", default=1, minimum=1, maximum=9), "two"),
        (lambda: env.seconds("IT", default=1), "-1"),
        (lambda: env.choice("IT", default="a", choices=["a", "b"]), "c"),
        (lambda: env.origin("IT", "http://127.0.0.1:8000"), "heddle.example.org"),
        (lambda: env.origin("IT", "http://127.0.0.1:8000"), "https://example.org/path"),
        (lambda: env.optional_secret("IT"), "short"),
        (lambda: env.postgres("IT"), "postgresql://%zz"),
        (lambda: env.required("IT", hint="Do this."), " "),
    ],
)
def test_a_value_of_another_kind_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str
) -> None:
    monkeypatch.setenv("IT", value)

    with pytest.raises(ImproperlyConfigured, match="IT"):
        read()


def test_a_database_address_may_name_a_folder_of_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IT", "postgresql://heddle@/store?host=/run/heddle&connect_timeout=3")

    found = env.postgres("IT")

    assert (found["HOST"], found["NAME"], found["USER"]) == ("/run/heddle", "store", "heddle")
    assert found["OPTIONS"]["connect_timeout"] == "3"


@pytest.mark.parametrize("missing", ["HEDDLE_SECRET_KEY", "HEDDLE_CREDENTIAL_KEYS", "DATABASE_URL"])
def test_nothing_starts_without_what_it_needs(missing: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != missing}

    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode != 0
    assert f"{missing} is not set" in answer.stderr


def test_a_connection_that_went_dead_is_noticed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IT", "postgresql://heddle@db/store?tcp_user_timeout=5000")

    options = env.postgres("IT")["OPTIONS"]

    assert options["tcp_user_timeout"] == "5000"
    assert int(options["keepalives_idle"]) <= 30
    assert int(options["connect_timeout"]) <= 30
