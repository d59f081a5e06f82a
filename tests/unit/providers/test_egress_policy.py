from ipaddress import ip_address

import pytest

from backend.providers.addresses import is_public
from backend.providers.egress_policy import EgressPolicy, EgressRefused

PRIVATE = [
    "127.0.0.1",
    "127.1.2.3",
    "0.0.0.0",  # noqa: S104 - an address that must be refused
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.2.1",
    "198.18.0.1",
    "192.88.99.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "4000::1",
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "2002:101:101::1"]


@pytest.mark.parametrize("text", PRIVATE)
def test_private_and_special_addresses_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert is_public(ip_address(text))


def test_one_private_address_among_public_ones_refuses_the_name() -> None:
    addresses = [ip_address("1.1.1.1"), ip_address("10.0.0.1")]

    with pytest.raises(EgressRefused, match="private"):
        EgressPolicy().choose(host="two.example", port=443, addresses=addresses)


def test_a_name_without_addresses_is_refused() -> None:
    with pytest.raises(EgressRefused):
        EgressPolicy().choose(host="none.example", port=443, addresses=[])


@pytest.mark.parametrize("port", [80, 443, 8080, 8443])
def test_web_ports_of_public_addresses_are_open(port: int) -> None:
    addresses = [ip_address("1.1.1.1")]

    assert EgressPolicy().choose(host="a.example", port=port, addresses=addresses) == addresses


@pytest.mark.parametrize("port", [22, 25, 5432, 6379, 11211])
def test_other_ports_need_leave(port: int) -> None:
    addresses = [ip_address("1.1.1.1")]

    with pytest.raises(EgressRefused, match=f"a.example:{port} to HEDDLE_EGRESS_ALLOW"):
        EgressPolicy().choose(host="a.example", port=port, addresses=addresses)
    allowed = EgressPolicy.parse(f"a.example:{port}")
    assert allowed.choose(host="a.example", port=port, addresses=addresses)


@pytest.mark.parametrize(
    ("allow", "host", "port", "passes"),
    [
        ("ollama.lan:11434", "ollama.lan", 11434, True),
        ("ollama.lan:11434", "OLLAMA.lan.", 11434, True),
        ("ollama.lan:11434", "ollama.lan", 80, False),
        ("ollama.lan", "ollama.lan", 9999, True),
        ("ollama.lan", "evil.ollama.lan", 80, False),
        ("ollama.lan", "lan", 80, False),
        (" 10.0.0.1:80 , other ", "10.0.0.1", 80, True),
        ("[::1]:8000", "::1", 8000, True),
        ("", "ollama.lan", 80, False),
    ],
)
def test_allowed_names_reach_private_addresses(
    allow: str, host: str, port: int, passes: bool
) -> None:
    policy = EgressPolicy.parse(allow)
    addresses = [ip_address("10.0.0.1")]

    if passes:
        assert policy.choose(host=host, port=port, addresses=addresses) == addresses
    else:
        with pytest.raises(EgressRefused):
            policy.choose(host=host, port=port, addresses=addresses)


def test_an_allowed_name_does_not_lead_to_the_clouds_metadata() -> None:
    with pytest.raises(EgressRefused):
        EgressPolicy.parse("model.lan").choose(
            host="model.lan", port=80, addresses=[ip_address("169.254.169.254")]
        )


def test_an_approved_endpoint_is_allowed_with_its_port_only() -> None:
    policy = EgressPolicy().allowing_url("http://localhost:11434/v1")

    assert policy.allowed == {"localhost:11434"}
    assert EgressPolicy().allowing_url("https://[::1]/v1").allowed == {"[::1]:443"}
