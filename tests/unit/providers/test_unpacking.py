import gzip
import zlib
from collections.abc import Callable

import pytest

from backend.providers.unpacking import PackingBroken, Unpacker

TEXT = b"the same words again and again, " * 40_000


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def unpack_whole(packed: bytes) -> bytes:
    unpacker = Unpacker()
    content = b"".join(unpacker.unpack(packed))
    unpacker.end()
    return content


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
@pytest.mark.parametrize("size", [1, 1000, 10**9])
def test_what_was_packed_comes_out_again_in_small_pieces(
    pack: Callable[[bytes], bytes], size: int
) -> None:
    packed = pack(TEXT)
    unpacker = Unpacker()

    pieces = [
        piece
        for start in range(0, len(packed), size)
        for piece in unpacker.unpack(packed[start : start + size])
    ]
    unpacker.end()

    assert b"".join(pieces) == TEXT
    assert max(map(len, pieces)) <= 256 * 1024


def test_a_small_answer_that_unpacks_to_much_is_not_unpacked_at_once() -> None:
    bomb = gzip.compress(bytes(300_000_000))

    first = next(Unpacker().unpack(bomb))

    assert len(first) <= 256 * 1024


@pytest.mark.parametrize(
    "packed", [b"\x1f\x8bnot packed", b"plain words", gzip.compress(TEXT)[:-9]]
)
def test_what_is_broken_or_cut_off_is_told(packed: bytes) -> None:
    with pytest.raises(PackingBroken):
        unpack_whole(packed)
