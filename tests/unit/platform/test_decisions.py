"""What the platform decides before it does anything."""

import json
import socket
import stat
from pathlib import Path

import pytest

from heddle_platform.console import Refusal
from heddle_platform.disk import require_space, require_writable
from heddle_platform.installing import explain_failure
from heddle_platform.node import is_suitable
from heddle_platform.ports import free_port, require_free
from heddle_platform.secrets_file import read_or_make
from heddle_platform.service_user import ServiceUser
from heddle_platform.setting_up import login_in
from heddle_platform.supervisor import LONGEST_PAUSE_S, pause_before_restart


@pytest.mark.parametrize(
    ("version", "suitable"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0\n", True),
        ("", False),
    ],
)
def test_only_a_node_that_can_build_the_front_end_is_used(version: str, suitable: bool) -> None:
    assert is_suitable(version) is suitable


@pytest.mark.parametrize(
    "line",
    [
        "npm error code ENOTFOUND",
        "  Caused by: dns error: failed to lookup address information",
        "NewConnectionError: [Errno 111] Connection refused",
    ],
)
def test_an_installation_without_network_is_explained_as_such(line: str) -> None:
    assert explain_failure("the packages", [line, "", "more"]).startswith("No network: ")


def test_an_installation_on_a_full_disk_is_explained_as_such() -> None:
    explained = explain_failure("the packages", ["OSError: [Errno 28] No space left on device"])

    assert explained.startswith("No space left on the disk")


def test_another_failure_of_an_installation_is_told_in_its_own_words() -> None:
    explained = explain_failure("the packages", ["first", "hash does not match", ""])

    assert "hash does not match" in explained


def test_restarts_of_a_part_that_keeps_crashing_come_ever_later_up_to_a_limit() -> None:
    pauses = [pause_before_restart(crashes) for crashes in range(1, 12)]

    assert pauses == sorted(pauses)
    assert pauses[0] < 1
    assert pauses[-1] == LONGEST_PAUSE_S


def test_a_taken_port_is_refused_with_another_proposed() -> None:
    port = free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()

        with pytest.raises(Refusal, match=rf"Port {port} is taken.*--port {port + 1}"):
            require_free(port)


def test_a_disk_without_room_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="Too little space"):
        require_space(tmp_path / "not" / "yet", mebibytes=10**9)


def test_a_file_in_the_place_of_the_data_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.touch()

    with pytest.raises(Refusal, match="is no folder"):
        require_writable(file)


def test_secrets_are_made_once_and_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"

    first, second = read_or_make(path), read_or_make(path)

    assert first == second
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"HEDDLE_SECRET_KEY": "only this"})])
def test_a_damaged_secrets_file_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(content)

    with pytest.raises(Refusal, match="is damaged"):
        read_or_make(path)
    assert path.read_text() == content


def test_an_account_without_rights_cannot_enter_a_private_folder(tmp_path: Path) -> None:
    stranger = ServiceUser(uid=61234, gid=61234)
    private = tmp_path / "private"
    private.mkdir(mode=0o700)

    assert not stranger.can_enter(private / "inner")


def test_the_login_is_read_from_the_last_line_of_the_set_up() -> None:
    answer = 'a warning\n{"email": "a@example.org", "password": "secret", "workspace": "x"}\n'

    assert login_in(answer) == {"e-mail": "a@example.org", "password": "secret"}


def test_a_set_up_that_made_nothing_gives_no_login() -> None:
    assert login_in("") == {}
