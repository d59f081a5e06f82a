"""Which pages may open a socket: those of this installation, by scheme, host and port."""

from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def allowed(*, public_url: str) -> list[str]:
    """List the exact origins. A local installation is reached by each name of its machine."""
    parts = urlsplit(public_url)
    if (parts.hostname or "") not in {"127.0.0.1", "localhost", "::1"}:
        return [public_url]
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return [f"{parts.scheme}://{host}:{port}" for host in LOOPBACK]
