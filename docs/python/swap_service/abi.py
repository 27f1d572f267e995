"""Contract ABI: encodes Python values as calldata and decodes the words that a call returned.

Types are written as in a signature: `address`, `uint256`, `int24`, `bool`, `bytes`, `T[]`, and a
tuple as `(T,T)`. An address is a 0x string; tuples and lists are Python sequences.
"""

from __future__ import annotations

from typing import Any, Sequence

from .keccak import selector

WORD = 32


class BadData(ValueError):
    """Returned data that does not have the declared types."""


def split_types(inside: str) -> list[str]:
    """Splits the text between the outer brackets of a tuple type into its member types."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(inside):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(inside[start:at])
            start = at + 1
    return parts + [inside[start:]] if inside else []


def _is_dynamic(kind: str) -> bool:
    if kind.endswith("[]") or kind == "bytes":
        return True
    return kind.startswith("(") and any(map(_is_dynamic, split_types(kind[1:-1])))


def _encode_one(kind: str, value: Any) -> bytes:
    if kind.endswith("[]"):
        items = [kind[:-2]] * len(value)
        return len(value).to_bytes(WORD, "big") + encode(items, value)
    if kind.startswith("("):
        return encode(split_types(kind[1:-1]), value)
    if kind == "bytes":
        return len(value).to_bytes(WORD, "big") + value + bytes(-len(value) % WORD)
    if kind == "address":
        return bytes.fromhex(value[2:]).rjust(WORD, b"\0")
    if kind.startswith("int"):
        return int(value).to_bytes(WORD, "big", signed=True)
    return int(value).to_bytes(WORD, "big")


def encode(kinds: Sequence[str], values: Sequence[Any]) -> bytes:
    """Encodes values in sequence: the fixed-size parts and offsets first, then the dynamic data."""
    encoded = [_encode_one(kind, value) for kind, value in zip(kinds, values)]
    dynamic = [_is_dynamic(kind) for kind in kinds]
    offset = sum(WORD if points else len(part) for points, part in zip(dynamic, encoded))
    head, tail = b"", b""
    for points, part in zip(dynamic, encoded):
        head += (offset + len(tail)).to_bytes(WORD, "big") if points else part
        tail += part if points else b""
    return head + tail


def calldata(signature: str, *values: Any) -> bytes:
    """Selector and arguments of a call; `signature` is canonical, without spaces or names."""
    kinds = split_types(signature[signature.index("(") + 1 : -1])
    return selector(signature) + encode(kinds, values)


def word(data: bytes, at: int = 0) -> int:
    """The unsigned number in word `at`."""
    if len(data) < WORD * (at + 1):
        raise BadData(f"{len(data)} bytes; word {at} is missing")
    return int.from_bytes(data[WORD * at : WORD * (at + 1)], "big")


def signed(number: int) -> int:
    """Reads an unsigned word as two's complement."""
    return number - (1 << 256) if number >> 255 else number


def decode_results(data: bytes) -> list[tuple[bool, bytes]]:
    """Decodes the result of Multicall3's `aggregate3`: success and returned data of each call."""
    start = word(data)
    count = word(data[start:])
    if count > len(data) // WORD:
        raise BadData(f"{count} results in {len(data)} bytes")
    results = []
    for index in range(count):
        item = data[start + WORD + word(data[start:], index + 1) :]
        payload = item[word(item, 1) :]
        length = word(payload)
        if len(payload) < WORD + length:
            raise BadData("a result is cut short")
        results.append((word(item) == 1, payload[WORD : WORD + length]))
    return results
