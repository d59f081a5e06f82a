"""Packed answers, unpacked piece by piece, so that limits on size hold."""

import zlib
from collections.abc import Iterator

#: Packings that answers may have; they are asked for in this order.
PACKINGS = ("gzip", "deflate")
#: Bytes that one step of unpacking gives at most.
_PIECE = 256 * 1024
_EITHER_HEADER = 32 + zlib.MAX_WBITS
_NO_HEADER = -zlib.MAX_WBITS
_METHOD_BITS, _DEFLATE = 0x0F, 8
_GZIP_FIRST_BYTE = 0x1F


class PackingBroken(Exception):
    """What came cannot be unpacked."""


class Unpacker:
    """Unpacks one answer."""

    def __init__(self) -> None:
        self._zlib: zlib._Decompress | None = None

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        """Give what a part of the answer holds, in small pieces.

        Raises:
            PackingBroken: It is not packed as the answer says.
        """
        if self._zlib is None:
            self._zlib = zlib.decompressobj(_header_of(packed))
        while packed and not self._zlib.eof:
            try:
                piece = self._zlib.decompress(packed, _PIECE)
            except zlib.error as error:
                raise PackingBroken(str(error)) from error
            packed = self._zlib.unconsumed_tail
            yield piece

    def end(self) -> None:
        """Check that nothing is missing.

        Raises:
            PackingBroken: The answer ended too early.
        """
        if self._zlib is not None and not self._zlib.eof:
            raise PackingBroken("it ends too early")


def _header_of(packed: bytes) -> int:
    """Tell how to read the first bytes: some servers send `deflate` without the header."""
    has_one = packed[0] == _GZIP_FIRST_BYTE or packed[0] & _METHOD_BITS == _DEFLATE
    return _EITHER_HEADER if has_one else _NO_HEADER
