"""bin/up: from a fresh checkout to the running product."""

import argparse
import http.client
import resource
import signal
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from heddle_platform.child import spawn
from heddle_platform.console import say
from heddle_platform.environment import ensure_environment
from heddle_platform.frontend import ensure_built
from heddle_platform.installation import Installation
from heddle_platform.parts import (
    beat_command,
    default_io_workers,
    io_worker_command,
    web_command,
)
from heddle_platform.places import DEFAULT_DATA, FRONTEND
from heddle_platform.ports import LOOPBACK, require_free
from heddle_platform.postgres import STOP_SIGNAL
from heddle_platform.setting_up import ensure_set_up, show_login_once
from heddle_platform.supervisor import Part, Supervisor

#: Seconds that web and workers get to end; a worker lets its steps end for ten of them.
GRACE_S = 25


def up(arguments: Sequence[str]) -> int:
    """Install what is missing, then run the product until it is told to stop."""
    options = _parse(arguments)
    installation = Installation(data=options.data.resolve(), port=options.port)
    with installation.claimed():
        if not options.setup_only:
            require_free(options.port)
        ensure_environment("base")
        if not options.no_browser_build:
            ensure_built()
        _run(installation, options)
    return 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bin/up", description="Install what is missing and run Heddle.", allow_abbrev=False
    )
    parser.add_argument("--port", type=_port, default=8000, help="web port (default: 8000)")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder (default: .data)")
    parser.add_argument(
        "--lane-io", type=_count, default=default_io_workers(), help="workers of the lane io"
    )
    parser.add_argument("--lane-cpu", type=_count, default=0, help="workers of the lane cpu")
    parser.add_argument("--setup-only", action="store_true", help="install and set up, then end")
    parser.add_argument(
        "--no-browser-build", action="store_true", help="leave the built front end as it is"
    )
    return parser.parse_args(arguments)


def _run(installation: Installation, options: argparse.Namespace) -> None:
    supervisor = Supervisor()
    try:
        _start_services(installation, supervisor)
        ensure_set_up(installation)
        if options.setup_only:
            say("Everything is set up; bin/up starts it.")
            show_login_once(installation)
            return
        _allow_many_connections()
        _start_product(installation, supervisor, options)
        _until_told_to_stop(installation, supervisor)
    finally:
        supervisor.stop_all()
        installation.clear_runtime_folders()


def _start_services(installation: Installation, supervisor: Supervisor) -> None:
    """Start both servers at once, then wait for each."""
    postgres, redis = installation.postgres, installation.redis
    waits = []
    if redis:
        process = redis.start()
        supervisor.adopt(Part(name="redis", start=redis.start, process=process, is_service=True))
        waits.append((redis.wait, process))
    if postgres:
        postgres.prepare()
        process = postgres.start()
        supervisor.adopt(
            Part(
                name="postgres",
                start=postgres.start,
                process=process,
                stop_signal=STOP_SIGNAL,
                grace_s=30,
                is_service=True,
            )
        )
        waits.append((postgres.wait, process))
    for wait, process in waits:
        wait(process)


def _start_product(
    installation: Installation, supervisor: Supervisor, options: argparse.Namespace
) -> None:
    if options.lane_cpu:
        say("No kind of node uses the lane cpu yet: no cpu worker is started.")
    if not (FRONTEND / "dist" / "index.html").exists():
        say("The front end is not built: the pages will be missing, the API works.")
    installation.announce()
    commands = {"web": web_command(port=options.port)}
    for number in range(1, options.lane_io + 1):
        commands[f"io-{number}"] = io_worker_command(number=number)
    for name, command in commands.items():
        part = Part(name=name, start=partial(_start, command, installation), grace_s=GRACE_S)
        supervisor.launch(part)


def _start(command: list[str], installation: Installation) -> subprocess.Popen[bytes]:
    return spawn(command, environment=installation.environment, output=subprocess.PIPE)


def _until_told_to_stop(installation: Installation, supervisor: Supervisor) -> None:
    def when_ready() -> None:
        # Only now: at the start each processor has enough to do with the others.
        beat = partial(_start, beat_command(), installation)
        supervisor.launch(Part(name="beat", start=beat))
        say("")
        say(f"  Heddle is ready: http://127.0.0.1:{installation.port}")
        show_login_once(installation)
        say("  Ctrl-C stops it.")
        say("")

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup, a shell's background job
            signal.signal(number, lambda *_: supervisor.stop())
    supervisor.watch(is_ready=lambda: _answers(installation.port), when_ready=when_ready)
    say("Stopping …")


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _allow_many_connections() -> None:
    """Raise the number of open files: each waiting step of a worker holds a connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(65536, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _port(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError("a port lies between 1 and 65535")
    return number


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 64:
        raise argparse.ArgumentTypeError("choose between 0 and 64")
    return number
