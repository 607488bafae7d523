"""The tree of RFC 6962, written as its definition says. It is slow, and shares nothing with the code under test."""

from collections.abc import Sequence
from hashlib import sha256


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def half(count: int) -> int:
    """The largest power of two below the number."""
    return 1 << (count - 1).bit_length() - 1


def root(leaves: Sequence[bytes]) -> bytes:
    """MTH of section 2.1."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    middle = half(len(leaves))
    return node(root(leaves[:middle]), root(leaves[middle:]))


def path(place: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    middle = half(len(leaves))
    if place < middle:
        return [*path(place, leaves[:middle]), root(leaves[middle:])]
    return [*path(place - middle, leaves[middle:]), root(leaves[:middle])]


def consistency(size: int, leaves: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """PROOF of section 2.1.2, from the tree of the first `size` leaves to the tree of all."""
    if size == len(leaves):
        return [] if whole else [root(leaves)]
    middle = half(len(leaves))
    if size <= middle:
        return [*consistency(size, leaves[:middle], whole), root(leaves[middle:])]
    return [*consistency(size - middle, leaves[middle:], False), root(leaves[:middle])]
