"""Signatures of the chain: ECDSA over secp256k1, with the nonce of RFC 6979.

Written to be read, not in constant time: its duration depends on the key. Where others can measure
it, for example on a shared machine, sign with a library or a device.
"""

from __future__ import annotations

import hmac

from keccak import keccak256

_P = 2**256 - 2**32 - 977
"""The field of the curve y^2 = x^3 + 7."""
_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_GENERATOR = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)

Point = tuple[int, int]


def _add(one: Point | None, other: Point | None) -> Point | None:
    """The sum of two points; None is the point at infinity."""
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2 and y1 != y2:
        return None
    if x1 == x2:
        slope = 3 * x1 * x1 * pow(2 * y1, -1, _P) % _P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, _P) % _P
    x = (slope * slope - x1 - x2) % _P
    return x, (slope * (x1 - x) - y1) % _P


def _multiply(factor: int, point: Point) -> Point:
    """Multiplies a point by a factor between 1 and the order."""
    total: Point | None = None
    doubled: Point | None = point
    while factor:
        if factor & 1:
            total = _add(total, doubled)
        doubled = _add(doubled, doubled)
        factor >>= 1
    assert total is not None
    return total


def _nonces(digest: bytes, key: int):
    """Yields candidates for the secret nonce of a signature, derived from key and digest (RFC 6979, 3.2).

    Two signatures with one nonce reveal the key; so may nonces from a bad random number generator.
    """
    known = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % _ORDER).to_bytes(32, "big")
    k, v = bytes(32), b"\x01" * 32
    for separator in (b"\x00", b"\x01"):
        k = hmac.digest(k, v + separator + known, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        candidate = int.from_bytes(v, "big")
        if 0 < candidate < _ORDER:
            yield candidate
        k = hmac.digest(k, v + b"\x00", "sha256")
        v = hmac.digest(k, v, "sha256")


def sign(digest: bytes, key: int) -> tuple[int, int, int]:
    """Signs a 32-byte digest: returns r, s, and the parity of y, from which the chain recovers the signer."""
    message = int.from_bytes(digest, "big")
    for nonce in _nonces(digest, key):
        x, y = _multiply(nonce, _GENERATOR)
        r = x % _ORDER
        s = pow(nonce, -1, _ORDER) * (message + r * key) % _ORDER
        if r == 0 or s == 0:
            continue
        # The chain accepts only the lower of s and its negative (EIP-2).
        return (r, s, y & 1) if s <= _ORDER // 2 else (r, _ORDER - s, y & 1 ^ 1)
    raise AssertionError("the candidates never end")


def address_of(key: int) -> str:
    """The address of a private key."""
    x, y = _multiply(key, _GENERATOR)
    return "0x" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()
