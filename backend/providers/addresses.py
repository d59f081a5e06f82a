"""Which addresses of the internet are really on the internet."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_CLOSED_V4 = (
    IPv4Network("192.88.99.0/24"),  # relays between the two protocols
    IPv4Network("240.0.0.0/4"),
)
_CLOSED_V6 = (
    IPv6Network("::/96"),  # holds an IPv4 address
    IPv6Network("64:ff9b::/96"),  # NAT64
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2001::/23"),  # Teredo and its neighbours
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
    IPv6Network("fec0::/10"),
)


def is_public(address: Address) -> bool:
    """Tell whether an address leads outside: no loopback, private, link-local or special one.

    Addresses that carry an IPv4 address are judged by that one.
    """
    if isinstance(address, IPv4Address):
        return _is_public_v4(address)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    if address.sixtofour is not None:
        return _is_public_v4(address.sixtofour)
    if any(address in network for network in _CLOSED_V6):
        return False
    return address in _GLOBAL_UNICAST and address.is_global and not address.is_multicast


def is_link_local(address: Address) -> bool:
    """Tell whether an address is link-local, where clouds keep their metadata services."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_link_local
    return address.is_link_local


def _is_public_v4(address: IPv4Address) -> bool:
    if any(address in network for network in _CLOSED_V4):
        return False
    return address.is_global and not address.is_multicast
