"""Encodes and signs transactions with EIP-1559 fees."""

from __future__ import annotations

from typing import Union

from keccak import keccak256
from secp256k1 import sign

Item = Union[int, bytes, list]


def rlp(item: Item) -> bytes:
    """RLP: encodes a number (without leading zeros), bytes, or a list of these."""
    if isinstance(item, list):
        return _with_length(0xC0, b"".join(map(rlp, item)))
    if isinstance(item, int):
        item = item.to_bytes((item.bit_length() + 7) // 8, "big")
    if len(item) == 1 and item[0] < 0x80:
        return item
    return _with_length(0x80, item)


def _with_length(kind: int, content: bytes) -> bytes:
    if len(content) <= 55:
        return bytes([kind + len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([kind + 55 + len(length)]) + length + content


def sign_transaction(
    key: int, *, chain_id: int, nonce: int, tip: int, max_fee: int, gas: int, to: str, value: int, data: str
) -> bytes:
    """Returns the bytes of a transaction of type 2; the Keccak-256 of them is its hash."""
    no_access_list: list = []
    fields = [chain_id, nonce, tip, max_fee, gas, bytes.fromhex(to[2:]), value, bytes.fromhex(data[2:])]
    unsigned = b"\x02" + rlp([*fields, no_access_list])
    r, s, parity = sign(keccak256(unsigned), key)
    return b"\x02" + rlp([*fields, no_access_list, parity, r, s])
