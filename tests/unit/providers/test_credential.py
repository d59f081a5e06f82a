import json
import pickle
from typing import Any

import pytest

from backend.providers.credential import Credential
from backend.providers.errors import CallFailed
from backend.providers.secret import Secret


def credential(**values: Any) -> Credential:
    settings: dict[str, Any] = {"id": "c", "kind": "http_bearer", "secret": Secret("s3cret")}
    return Credential(**(settings | values))


def test_a_secret_does_not_show_itself() -> None:
    secret = Secret("s3cret")

    assert "s3cret" not in f"{secret} {secret!r} {credential()!r}"
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)


def test_a_secret_may_be_decrypted_at_the_moment_of_use() -> None:
    assert Secret(lambda: "late").reveal() == "late"


def test_a_secret_is_not_revealed_for_a_host_that_is_not_named() -> None:
    def refuse() -> str:
        raise AssertionError("revealed")

    held = credential(secret=Secret(refuse), hosts=("api.example.com",))

    for host in ("evil.example.com", "api.example.com.evil.net", "example.com"):
        with pytest.raises(CallFailed, match="may not be sent"):
            held.headers_for(host=host, port=443)


@pytest.mark.parametrize("pattern", ["api.example.com", "API.example.com:443", "*.example.com"])
def test_a_secret_goes_to_the_hosts_that_are_named(pattern: str) -> None:
    headers = credential(hosts=(pattern,)).headers_for(host="api.example.com", port=443)

    assert headers == {"authorization": "Bearer s3cret"}


def test_basic_and_header_credentials_build_their_own_headers() -> None:
    basic = credential(kind="http_basic", username="me", hosts=("h",))
    header = credential(kind="http_header", header="X-Api-Key", hosts=("h",))

    assert basic.headers_for(host="h", port=80) == {"authorization": "Basic bWU6czNjcmV0"}
    assert header.headers_for(host="h", port=80) == {"x-api-key": "s3cret"}


def test_a_call_is_priced_by_the_table_and_has_no_price_without_one() -> None:
    priced = credential(prices={"m": {"input": 2.0, "output": 10.0}})

    assert priced.cost(model="m", input_tokens=1000, output_tokens=100) == 0.003
    assert priced.cost(model="other", input_tokens=1, output_tokens=1) is None
