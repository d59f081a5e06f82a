"""The command lines of docker-compose.yml, each run here on the test session's servers."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
import redis
from ruamel.yaml import YAML

from heddle_platform import child
from heddle_platform.places import ROOT, VENV
from heddle_platform.ports import free_port
from tests.live_product import LiveProduct
from tests.services import TestServices
from tests.waiting import wait_until

COMPOSE: dict[str, Any] = YAML(typ="safe").load(ROOT / "docker-compose.yml")
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "worker-io", "beat")


def command_of(name: str) -> list[str]:
    """Return a service's command line as its container would run it, on this environment."""
    words = [str(word).replace("$$", "$") for word in SERVICES[name]["command"]]
    return [sys.executable if word == "python" else word for word in words]


@pytest.fixture(scope="module")
def composed(postgres_server: TestServices, redis_server: TestServices) -> LiveProduct:
    """An empty database for the containers' commands."""
    product = LiveProduct(services=postgres_server, database="heddle_compose")
    product.folder.mkdir()
    postgres_server.postgres.create_database(product.database)
    return product


@pytest.fixture(scope="module")
def environment(composed: LiveProduct) -> dict[str, str]:
    """The containers' variables, with the programs of the environment first in PATH."""
    found = composed.environment
    return {**found, "PATH": f"{VENV / 'bin'}{os.pathsep}{found['PATH']}", "HOSTNAME": "here"}


def start(
    name: str, *, environment: dict[str, str], log: Path, port: int = 0
) -> subprocess.Popen[bytes]:
    command = [str(port) if word == "8000" else word for word in command_of(name)]
    with log.open("wb") as output:
        return child.spawn(command, environment=environment, output=output)


def test_every_service_of_ours_waits_for_healthy_servers_and_writes_only_its_data() -> None:
    for name in OURS:
        service = SERVICES[name]
        assert service["depends_on"]["postgres"] == {"condition": "service_healthy"}
        assert service["depends_on"]["redis"] == {"condition": "service_healthy"}
        assert service["read_only"] is True
        assert service["volumes"] == ["files:/data"]


def test_no_secret_stands_in_the_compose_file() -> None:
    text = (ROOT / "docker-compose.yml").read_text()

    assert "PASSWORD: ${POSTGRES_PASSWORD:?" in text
    assert [line for line in text.splitlines() if "hdl_" in line] == []


def test_every_variable_of_the_settings_stands_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text()
    settings = (ROOT / "backend" / "config" / "settings.py").read_text()
    read = {word for word in settings.replace('"', " ").split() if word.startswith("HEDDLE_")}
    asked = {word for word in read if f'("{word}"' in settings}

    assert [name for name in sorted(asked) if name not in example] == []


def test_the_set_up_command_prepares_an_empty_database(environment: dict[str, str]) -> None:
    shell, option, script = command_of("migrate")
    script = script.replace("python ", f"{shlex.quote(sys.executable)} ")

    answer = subprocess.run(
        [shell, option, script],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_web_command_answers_and_its_health_check_agrees(
    composed: LiveProduct, environment: dict[str, str]
) -> None:
    port = free_port()
    log = composed.log("web")
    web = start("web", environment=environment, log=log, port=port)
    test = [str(word).replace("8000", str(port)) for word in SERVICES["web"]["healthcheck"]["test"]]
    try:
        wait_until(lambda: _answers(port), what=f"/readyz: {log.read_text()}")
        answer = subprocess.run([sys.executable, *test[2:]], check=False, env=environment)

        assert answer.returncode == 0
    finally:
        child.stop(web)


def test_the_worker_command_starts_and_its_health_check_agrees(
    composed: LiveProduct, environment: dict[str, str]
) -> None:
    log = composed.log("worker-io")
    with_name = {**environment, "HOSTNAME": os.uname().nodename}
    worker = start("worker-io", environment=with_name, log=log)
    script = SERVICES["worker-io"]["healthcheck"]["test"][1].replace("$$", "$")
    try:
        wait_until(lambda: "ready" in log.read_text(), what=f"a ready worker: {log.read_text()}")
        answer = subprocess.run(
            ["sh", "-c", script], check=False, env=with_name, cwd=ROOT, capture_output=True
        )

        assert answer.returncode == 0, answer
    finally:
        child.stop(worker, grace_s=40)


def test_the_clock_command_sends_wake_ups(
    composed: LiveProduct, environment: dict[str, str], empty_redis: redis.Redis
) -> None:
    log = composed.log("beat")
    beat = start("beat", environment=environment, log=log)

    try:
        wait_until(lambda: empty_redis.keys("heddle:io*"), what=f"a wake-up: {log.read_text()}")

        assert beat.poll() is None
    finally:
        child.stop(beat)


def _answers(port: int) -> bool:
    try:
        answer = httpx2.get(f"http://127.0.0.1:{port}/readyz", trust_env=False)
    except httpx2.TransportError:
        return False
    return answer.status_code == httpx2.codes.OK
