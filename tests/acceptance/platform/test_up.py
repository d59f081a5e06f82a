"""bin/up as a person would meet it."""

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from heddle_platform.ports import free_port
from tests.acceptance.platform.checkout import Checkout, Started, copy_checkout
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """One copy for the module; its first test makes the first start."""
    copy = copy_checkout(tmp_path_factory.mktemp("up"))
    yield copy
    copy.remove()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Checkout]:
    """A copy of this test's own, without any data."""
    copy = copy_checkout(tmp_path)
    yield copy
    copy.remove()


def test_the_first_start_sets_up_and_shows_the_login_once_and_sigterm_leaves_no_process(
    checkout: Checkout,
) -> None:
    with checkout.started() as first:
        assert "Setting up the database" in first.said()
        assert f"http://127.0.0.1:{first.port}" in first.said()
        assert "password" in first.said()
        assert len(first.family) >= 5

        assert first.end() == 0
        assert first.survivors() == []

    with checkout.started() as second:
        assert "Setting up" not in second.said()
        assert "Installing" not in second.said()
        assert "password" not in second.said()


def test_a_killed_worker_is_started_again_and_the_terminal_says_so(checkout: Checkout) -> None:
    with checkout.started("--lane-io", "1") as running:
        worker = next(one for one in running.family if "worker" in one.cmdline())

        worker.kill()

        running.wait_for("io-1 ended (signal SIGKILL); starting it again")
        running.wait_for("io-1 started again")


def test_killed_services_are_started_again_and_the_product_recovers(checkout: Checkout) -> None:
    with checkout.started() as running:
        for name in ("postgres", "redis-server"):
            next(one for one in running.family if name in one.cmdline()[0]).kill()

        running.wait_for("postgres started again")
        running.wait_for("redis started again")
        running.wait_until_ready()


def test_a_kill_of_the_command_itself_leaves_nothing_behind(checkout: Checkout) -> None:
    with checkout.started() as running:
        running.process.send_signal(signal.SIGKILL)

        wait_until(lambda: not running.survivors(), what="the end of every process")


def test_a_taken_port_is_refused_in_one_line(checkout: Checkout) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        status, said = checkout.run("--port", str(port))

    assert status == 1
    assert said == (
        f"bin/up: Port {port} is taken: stop the program that uses it, or choose another with"
        f" bin/up --port {port + 1}.\n"
    )


@pytest.fixture(scope="class")
def running(checkout: Checkout) -> Iterator[Started]:
    """One start for a class of tests."""
    with checkout.started("--lane-cpu", "2") as started:
        yield started
    assert not (checkout.data / "running.json").exists()


class TestWhileItRuns:
    def test_a_second_start_on_the_same_folder_is_refused(
        self, checkout: Checkout, running: Started
    ) -> None:
        status, said = checkout.run("--port", str(free_port()))

        assert status == 1
        assert f"already runs on {checkout.data} (process {running.process.pid})" in said

    def test_workers_of_a_lane_that_no_kind_uses_are_not_started(self, running: Started) -> None:
        assert "No kind of node uses the lane cpu yet" in running.said()
        assert not [one for one in running.family if "cpu" in one.cmdline()]

    def test_other_commands_are_told_how_to_reach_it(
        self, checkout: Checkout, running: Started
    ) -> None:
        note = checkout.data / "running.json"

        variables = json.loads(note.read_text())["environment"]
        assert variables["HEDDLE_PUBLIC_URL"] == f"http://127.0.0.1:{running.port}"
        assert note.stat().st_mode & 0o077 == 0

    def test_pages_and_api_answer_on_the_printed_address(self, running: Started) -> None:
        health = httpx2.get(f"http://127.0.0.1:{running.port}/healthz", trust_env=False)
        kinds = httpx2.get(f"http://127.0.0.1:{running.port}/api/v1/node-kinds/", trust_env=False)

        assert health.status_code == httpx2.codes.OK
        assert kinds.status_code in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}


def test_set_up_alone_ends_without_starting_the_product(fresh: Checkout) -> None:
    status, said = fresh.run("--setup-only")

    assert status == 0, said
    assert "Everything is set up" in said
    assert "password" in said
    assert not [
        one for one in psutil.process_iter() if str(fresh.database) in " ".join(_command_of(one))
    ]


def test_a_damaged_database_folder_is_told_in_one_line(fresh: Checkout) -> None:
    assert fresh.run("--setup-only")[0] == 0
    (fresh.database / "global" / "pg_control").unlink()

    status, said = fresh.run("--port", str(free_port()))

    assert status == 1
    assert said.startswith(f"bin/up: The database folder {fresh.database} is damaged")
    assert said.count("\n") == 1


def test_a_database_of_another_version_is_told_in_one_line(fresh: Checkout) -> None:
    assert fresh.run("--setup-only")[0] == 0
    (fresh.database / "PG_VERSION").write_text("15\n")

    status, said = fresh.run("--port", str(free_port()))

    assert status == 1
    assert "made by PostgreSQL 15" in said
    assert said.count("\n") == 1


def test_a_first_start_without_network_is_told_in_its_last_line(tmp_path: Path) -> None:
    bare = copy_checkout(tmp_path, with_environment=False)
    nowhere = "http://127.0.0.1:1/simple"

    status, said = bare.run(
        extra={
            "PIP_INDEX_URL": nowhere,
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_FIND_LINKS": "",
            "PIP_RETRIES": "0",
            "UV_DEFAULT_INDEX": nowhere,
            "UV_HTTP_RETRIES": "0",
            "UV_NO_CACHE": "1",
        }
    )

    assert status == 1
    assert said.splitlines()[-1].startswith("bin/up: No network: ")


def test_a_python_that_is_too_old_is_told_in_one_line(tmp_path: Path) -> None:
    bare = copy_checkout(tmp_path, with_environment=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("python", "python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    (programs / "dirname").symlink_to("/usr/bin/dirname")

    status, said = bare.run(extra={"PATH": str(programs)})

    assert status == 1
    assert said.startswith("bin/up: Python 3.11 or newer is needed")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "options", [["--port", "0"], ["--port", "x"], ["--lane-io", "-1"], ["--x"]]
)
def test_options_that_make_no_sense_are_refused(checkout: Checkout, options: list[str]) -> None:
    status, said = checkout.run(*options)

    assert status == 2
    assert "usage: bin/up" in said


def _command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
