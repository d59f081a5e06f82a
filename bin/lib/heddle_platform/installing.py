"""Programs that install or build something: their lines are shown, their failures explained."""

import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from heddle_platform.child import spawn, stop
from heddle_platform.console import Refusal, say

_NO_NETWORK = (
    "name resolution",
    "name or service not known",
    "nodename nor servname",
    "could not resolve",
    "dns error",
    "failed to lookup address",
    "network is unreachable",
    "no route to host",
    "connection refused",
    "connection timed out",
    "newconnectionerror",
    "connecttimeouterror",
    "error sending request",
    "tcp connect error",
    "client error (connect)",
    "enotfound",
    "eai_again",
    "econnrefused",
    "etimedout",
    "enetunreach",
    "err_socket_timeout",
    # pip, when not even the index of a package that is known to exist could be read
    "(from versions: none)",
)
_NO_NEWS = ("Requirement already satisfied", "Ignoring ", "Looking in ")
_NO_SPACE = ("no space left on device", "enospc", "disk quota exceeded")


def install(
    command: Sequence[str], *, what: str, environment: Mapping[str, str], folder: Path
) -> None:
    """Run a program to its end, showing what it says.

    Raises:
        Refusal: It failed; the line names the cause where its words give it away.
    """
    process = spawn(command, environment=environment, output=subprocess.PIPE, folder=folder)
    tail: deque[str] = deque(maxlen=60)
    try:
        for raw in process.stdout or ():
            line = raw.decode(errors="replace").rstrip()
            tail.append(line)
            if not line.startswith(_NO_NEWS):
                say(f"  │ {line}")
        status = process.wait()
    finally:
        stop(process)
    if status:
        raise Refusal(explain_failure(what, list(tail)))


def explain_failure(what: str, lines: Sequence[str]) -> str:
    """Return one line that says why an installation failed and what to do."""
    words = "\n".join(lines).lower()
    if any(sign in words for sign in _NO_SPACE):
        return f"No space left on the disk while installing {what}: free some and start again."
    if any(sign in words for sign in _NO_NETWORK):
        return (
            f"No network: {what} could not be downloaded. The first start needs the package"
            " registries; connect this machine (or set its proxy) and start again."
        )
    said = next((line for line in reversed(lines) if line.strip()), "it said nothing").strip()
    return f"Installing {what} failed ({said}): the lines above say more."
