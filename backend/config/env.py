"""Readers of the environment that refuse a bad value at boot, naming variable and remedy."""

import base64
import binascii
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

MIN_SECRET_LENGTH = 32
CREDENTIAL_KEY_BYTES = 32
PLACEHOLDERS = ("change", "example", "insecure", "placeholder", "your-", "secret-key", "xxxx")
#: A server that vanished without a word would else be waited for a quarter of an hour, or longer.
NOTICE_DEAD_CONNECTIONS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"", "0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """Read a variable as it stands."""
    return os.environ.get(name, default).strip()


def required(name: str, *, hint: str) -> str:
    """Read a variable that has no sensible default."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. {hint}")
    return value


def boolean(name: str, *, default: bool) -> bool:
    """Read 1/0, true/false, yes/no or on/off."""
    word = os.environ.get(name)
    if word is None:
        return default
    if word.strip().lower() in TRUE_WORDS:
        return True
    if word.strip().lower() in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {word!r}.")


def integer(name: str, *, default: int, minimum: int, maximum: int) -> int:
    """Read a whole number within bounds."""
    return int(_number(name, default=default, minimum=minimum, maximum=maximum, read=int))


def seconds(name: str, *, default: float, minimum: float = 0.1, maximum: float = 3600) -> float:
    """Read a duration in seconds within bounds."""
    return _number(name, default=default, minimum=minimum, maximum=maximum, read=float)


def _number(
    name: str, *, default: float, minimum: float, maximum: float, read: type[int] | type[float]
) -> float:
    word = text(name)
    if not word:
        return default
    try:
        number = read(word)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number, not {word!r}.") from error
    if not minimum <= number <= maximum:
        raise ImproperlyConfigured(f"{name} must lie between {minimum} and {maximum}.")
    return number


def listing(name: str, default: Sequence[str] = ()) -> list[str]:
    """Read a comma-separated list."""
    words = [word.strip() for word in text(name).split(",")]
    return [word for word in words if word] or list(default)


def choice(name: str, *, default: str, choices: Sequence[str]) -> str:
    """Read one of a few words."""
    word = text(name, default) or default
    if word not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {word!r}.")
    return word


def secret(name: str) -> str:
    """Read a secret; short and placeholder values are refused."""
    value = required(name, hint="bin/up makes one; by hand: openssl rand -hex 32")
    if len(value) < MIN_SECRET_LENGTH:
        raise ImproperlyConfigured(f"{name} must have at least {MIN_SECRET_LENGTH} characters.")
    if len(set(value)) < 8 or any(word in value.lower() for word in PLACEHOLDERS):
        raise ImproperlyConfigured(f"{name} looks like a placeholder. Make a random one.")
    return value


def optional_secret(name: str, *, minimum: int = 16) -> str:
    """Read a secret that may be absent, but not weak."""
    value = text(name)
    if value and len(value) < minimum:
        raise ImproperlyConfigured(f"{name} must have at least {minimum} characters, or be empty.")
    return value


def key_ring(name: str) -> dict[str, bytes]:
    """Read `id:base64,id:base64`; the first key encrypts, all of them decrypt."""
    hint = "bin/up makes one; by hand: printf 'k1:%s' $(openssl rand -base64 32)"
    ring: dict[str, bytes] = {}
    for entry in required(name, hint=hint).split(","):
        key_id, _, encoded = entry.strip().partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error as error:
            raise ImproperlyConfigured(f"{name}: key {key_id!r} is not base64.") from error
        if not key_id or "|" in key_id or key_id in ring:
            raise ImproperlyConfigured(f"{name}: every key needs its own id before the colon.")
        if len(key) != CREDENTIAL_KEY_BYTES or len(set(key)) < 8:
            raise ImproperlyConfigured(f"{name}: key {key_id!r} must be 32 random bytes in base64.")
        ring[key_id] = key
    return ring


def origin(name: str, default: str) -> str:
    """Read an address as `scheme://host[:port]`, without a path."""
    value = text(name, default) or default
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
        raise ImproperlyConfigured(
            f"{name} must look like https://heddle.example.org, not {value!r}."
        )
    return f"{parts.scheme}://{parts.netloc}"


def postgres(name: str) -> dict[str, Any]:
    """Read `postgresql://user:password@host:port/name?option=…` as Django's connection settings."""
    url = required(
        name, hint="It names PostgreSQL, for example postgresql://heddle@127.0.0.1/heddle"
    )
    try:
        parts = dict(conninfo_to_dict(url))
    except ProgrammingError as error:
        raise ImproperlyConfigured(f"{name} is no PostgreSQL address: {error}") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", "heddle"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "OPTIONS": {**NOTICE_DEAD_CONNECTIONS, **parts},
    }
