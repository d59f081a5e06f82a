"""A credential as a node holds it while it makes one call."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from backend.providers.errors import CallFailed
from backend.providers.secret import Secret

CredentialKind = Literal["openai", "http_bearer", "http_basic", "http_header"]


@dataclass(frozen=True, kw_only=True)
class Credential:
    """What is needed to be let in somewhere, and where it may be used."""

    id: str
    kind: CredentialKind
    secret: Secret
    name: str = ""
    base_url: str = ""
    models: tuple[str, ...] = ()
    default_model: str = ""
    #: For each model, money for a million tokens: {"input": 2.5, "output": 10}.
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    #: An administrator let this endpoint be on a private network.
    allow_private: bool = False
    #: Where the secret of an HTTP credential may be sent: `host`, `host:port` or `*.domain`.
    hosts: tuple[str, ...] = ()
    username: str = ""
    header: str = ""

    def headers_for(self, *, host: str, port: int) -> dict[str, str]:
        """Build the request headers that carry the secret.

        Raises:
            CallFailed: The credential may not be sent to this host.
        """
        if not any(_matches(pattern, host, port) for pattern in self.hosts):
            raise CallFailed(
                "credential_host",
                f"The credential “{self.name or self.id}” may not be sent to {host}:{port}; "
                "its hosts are "
                f"{', '.join(self.hosts) or 'not named'}. Add the host to the credential.",
            )
        match self.kind:
            case "openai" | "http_bearer":
                return {"authorization": f"Bearer {self.secret.reveal()}"}
            case "http_basic":
                pair = f"{self.username}:{self.secret.reveal()}".encode()
                return {"authorization": f"Basic {base64.b64encode(pair).decode()}"}
            case "http_header":
                return {self.header.lower(): self.secret.reveal()}

    def cost(self, *, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Price a call by the credential's table; None where the model has no price."""
        price = self.prices.get(model)
        if price is None:
            return None
        total = input_tokens * price.get("input", 0.0) + output_tokens * price.get("output", 0.0)
        return round(total / 1_000_000, 8)


def _matches(pattern: str, host: str, port: int) -> bool:
    host, pattern = host.lower(), pattern.strip().lower()
    if pattern in {host, f"{host}:{port}", f"[{host}]:{port}", f"[{host}]"}:
        return True
    return pattern.startswith("*.") and host.endswith(pattern[1:])
