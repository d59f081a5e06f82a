"""TCP ports of this machine."""

import socket

from heddle_platform.console import Refusal

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def require_free(port: int) -> None:
    """Refuse a port that is taken or not ours to use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except PermissionError as error:
            raise Refusal(
                f"Port {port} needs administrator's rights: choose one above 1023."
            ) from error
        except OSError as error:
            raise Refusal(
                f"Port {port} is taken: stop the program that uses it, or choose another with"
                f" bin/up --port {port + 1}."
            ) from error
