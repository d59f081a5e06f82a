"""Whom outbound calls may reach: everything public on web ports, and what was allowed by name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from backend.providers.addresses import Address, is_link_local, is_public

#: Ports on which public addresses are reached without further leave.
WEB_PORTS = frozenset({80, 443, 8080, 8443})


class EgressRefused(Exception):
    """A connection that may not be made; the message says which and how to allow it."""


@dataclass(frozen=True)
class EgressPolicy:
    """The names that were allowed, as `host` or `host:port`, beside the public web."""

    allowed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        tidy = frozenset(entry.strip().lower() for entry in self.allowed if entry.strip())
        object.__setattr__(self, "allowed", tidy)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a list of `host` and `host:port`, separated by commas."""
        return cls(frozenset(text.split(",")))

    def allowing(self, entries: Iterable[str]) -> "EgressPolicy":
        """Allow more names."""
        return EgressPolicy(self.allowed | frozenset(entries))

    def allowing_url(self, url: str) -> "EgressPolicy":
        """Allow the host and port of an endpoint that an administrator approved."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return self.allowing([_with_port(parts.hostname or "", port)])

    def choose(self, *, host: str, port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        """Give the addresses to connect to: all of those found, if every one of them may be.

        Raises:
            EgressRefused: One of them may not, or the port may not.
        """
        if self._names(host, port):
            literal = _is_literal(host)
            refused = [a for a in addresses if is_link_local(a) and not literal]
        else:
            self._check_port(host, port)
            refused = [address for address in addresses if not is_public(address)]
        if refused or not addresses:
            raise EgressRefused(
                f"{host} leads to a private or special address, which calls may not reach. "
                f"To allow it, add {_with_port(host, port)} to HEDDLE_EGRESS_ALLOW."
            )
        return addresses

    def _names(self, host: str, port: int) -> bool:
        host = host.lower().rstrip(".")
        return bool(self.allowed & {host, f"[{host}]", _with_port(host, port)})

    def _check_port(self, host: str, port: int) -> None:
        if port not in WEB_PORTS:
            raise EgressRefused(
                f"Port {port} of {host} is no web port. "
                f"To allow it, add {_with_port(host, port)} to HEDDLE_EGRESS_ALLOW."
            )


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}".lower() if ":" in host else f"{host}:{port}".lower()


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
