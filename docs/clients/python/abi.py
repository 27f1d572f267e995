"""Encodes calldata. Every argument here is one word of 32 bytes, except the signature of a permit."""

from __future__ import annotations

from keccak import keccak256


def word(value: int | str) -> bytes:
    """Encodes a number, or an address as 0x text."""
    return (int(value, 16) if isinstance(value, str) else value).to_bytes(32, "big")


def words(*values: int | str) -> bytes:
    """Encodes several words."""
    return b"".join(map(word, values))


def calldata(signature: str, arguments: bytes) -> str:
    """Encodes a call of a function such as `transfer(address,uint256)`."""
    return "0x" + (keccak256(signature.encode())[:4] + arguments).hex()


def bytes_argument(content: bytes) -> bytes:
    """Encodes the part of a `bytes` argument to which its offset points."""
    return word(len(content)) + content + bytes(-len(content) % 32)


def numbers(returned: str) -> list[int]:
    """Decodes the words that a call returned."""
    data = bytes.fromhex(returned[2:])
    return [int.from_bytes(data[at : at + 32], "big") for at in range(0, len(data), 32)]
