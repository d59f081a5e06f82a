"""The supervisor, on small processes of the machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from heddle_platform import child
from heddle_platform.console import Refusal
from heddle_platform.supervisor import HOPELESS, Part, Supervisor
from tests.waiting import wait_until


def part(name: str, program: str) -> Part:
    def start() -> subprocess.Popen[bytes]:
        return child.spawn(
            [sys.executable, "-c", program],
            environment=child.clean_environment(),
            output=subprocess.PIPE,
        )

    return Part(name=name, start=start)


def test_a_part_that_crashed_is_started_again_and_the_terminal_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    marker = tmp_path / "crashed-once"
    program = (
        f"import os, pathlib, time; mark = pathlib.Path({str(marker)!r})\n"
        "if not mark.exists(): mark.touch(); os.abort()\n"
        "print('second life', flush=True); time.sleep(600)"
    )
    supervisor = Supervisor()
    crasher = part("worker", program)
    supervisor.launch(crasher)

    def lives_again() -> bool:
        return crasher.crashes == 1 and crasher.process is not None

    supervisor.watch(is_ready=lives_again, when_ready=supervisor.stop)
    supervisor.stop_all()

    said = capfd.readouterr().out
    assert "! worker ended (signal SIGABRT); starting it again in 0.5 s" in said
    assert "! worker started again" in said


def test_a_part_that_never_works_ends_the_start_with_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("heddle_platform.supervisor.pause_before_restart", lambda _: 0.0)
    supervisor = Supervisor()
    supervisor.launch(part("web", "raise SystemExit(3)"))

    with pytest.raises(Refusal, match=f"web ended {HOPELESS} times in a row"):
        supervisor.watch(is_ready=lambda: False, when_ready=lambda: None)
    supervisor.stop_all()


def test_a_part_that_does_not_listen_is_ended_by_force_with_all_that_it_started() -> None:
    stubborn = part(
        "stubborn",
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('up', subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid,"
        " flush=True)\n"
        "time.sleep(600)",
    )
    stubborn.grace_s = 0.2
    process = stubborn.start()
    assert process.stdout
    grandchild = int(process.stdout.readline().split()[1])
    stubborn.process = process
    supervisor = Supervisor()
    supervisor.adopt(stubborn)

    supervisor.stop_all()

    assert process.returncode is not None
    process.stdout.close()
    # The signal is sent; when the process is gone is the system's business.
    wait_until(lambda: _is_gone(grandchild), what="the end of what the part had started")


def _is_gone(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_text().split()[2] in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return True
