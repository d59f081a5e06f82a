"""The private servers: who may come in, and data folders that cannot be used."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import redis

from heddle_platform import child
from heddle_platform.console import Refusal
from heddle_platform.postgres import STOP_SIGNAL, Postgres
from tests.services import TestServices


@pytest.fixture
def another(services: TestServices) -> Iterator[Postgres]:
    """A second, fresh PostgreSQL of this test's own, prepared but not started."""
    folder = services.folder / "another"
    folder.mkdir(mode=0o711)
    postgres = replace(
        services.postgres,
        home=folder / "postgres",
        log=folder / "postgres.log",
        socket_folder=services.postgres.socket_folder.with_name(services.folder.name + "-2"),
    )
    postgres.prepare()
    yield postgres
    shutil.rmtree(folder)
    shutil.rmtree(postgres.socket_folder, ignore_errors=True)


def test_whoever_started_the_server_comes_in_by_the_socket(postgres_server: TestServices) -> None:
    with psycopg.connect(postgres_server.postgres.url()) as connection:
        row = connection.execute("SELECT current_user, current_setting('listen_addresses')")

        assert row.fetchone() == ("heddle", "")


def test_the_socket_folder_is_closed_to_other_accounts(postgres_server: TestServices) -> None:
    assert postgres_server.postgres.socket_folder.stat().st_mode & 0o077 == 0


def test_a_visitor_without_the_password_is_refused_by_redis(redis_server: TestServices) -> None:
    with (
        redis.Redis(port=redis_server.redis.port) as visitor,
        pytest.raises(redis.exceptions.AuthenticationError),
    ):
        visitor.ping()


def test_a_database_folder_of_another_version_is_refused_with_both_versions(
    another: Postgres,
) -> None:
    (another.home / "PG_VERSION").write_text("14\n")

    with pytest.raises(Refusal, match=rf"made by PostgreSQL 14.*{another.binaries.major}"):
        another.prepare()


def test_a_database_folder_that_lacks_files_is_refused_as_damaged(another: Postgres) -> None:
    (another.home / "global" / "pg_control").unlink()

    with pytest.raises(Refusal, match="is damaged"):
        another.prepare()


def test_a_damaged_control_file_is_told_in_one_line_with_the_log_to_read(another: Postgres) -> None:
    control = another.home / "global" / "pg_control"
    control.write_bytes(b"\0" * control.stat().st_size)
    process = another.start()

    with pytest.raises(Refusal) as refusal:
        another.wait(process)
    assert "is damaged" in str(refusal.value)
    assert str(another.log) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_server_left_over_by_a_killed_command_is_ended_before_the_next_start(
    another: Postgres,
) -> None:
    left_over = another.start()
    another.wait(left_over)

    another.prepare()

    assert left_over.wait(timeout=10) == 0
    again = another.start()
    another.wait(again)
    child.stop(again, by=STOP_SIGNAL)


def test_an_unfinished_database_folder_is_made_anew(another: Postgres) -> None:
    another.home.rename(another.home.with_name("postgres.new"))

    another.prepare()

    assert (another.home / "PG_VERSION").exists()
    assert not Path(f"{another.home}.new").exists()
    assert another.home.stat().st_mode & 0o077 == 0
