"""Keccak-256, the hash of the chain. hashlib has only SHA-3, which pads differently."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_RATE = 136
"""Bytes of input for each block: (1600 - 2 x 256) / 8."""


def _round_constants() -> list[int]:
    """Generates the 24 constants of iota with their linear feedback shift register."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for bit in range(7):
            if register & 1:
                constant |= 1 << ((1 << bit) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    return constants


def _rotations() -> list[int]:
    """Bits by which rho rotates each lane; lane (x, y) is at x + 5y."""
    turns, x, y = [0] * 25, 1, 0
    for step in range(24):
        turns[x + 5 * y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return turns


_CONSTANTS = _round_constants()
_TURNS = _rotations()


def _rotate(lane: int, by: int) -> int:
    return ((lane << by) | (lane >> (64 - by))) & _MASK


def _permute(lanes: list[int]) -> list[int]:
    """Keccak-f[1600]."""
    for constant in _CONSTANTS:
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixed = [parity[x - 1] ^ _rotate(parity[(x + 1) % 5], 1) for x in range(5)]
        moved = [0] * 25
        for x in range(5):
            for y in range(5):
                lane = lanes[x + 5 * y] ^ mixed[x]
                moved[y + 5 * ((2 * x + 3 * y) % 5)] = _rotate(lane, _TURNS[x + 5 * y])
        for y in range(0, 25, 5):
            for x in range(5):
                lanes[x + y] = moved[x + y] ^ (~moved[(x + 1) % 5 + y] & moved[(x + 2) % 5 + y])
        lanes[0] ^= constant
    return lanes


def keccak256(data: bytes) -> bytes:
    """Returns the hash, 32 bytes."""
    padded = bytearray(data + b"\x01" + bytes(-(len(data) + 1) % _RATE))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), _RATE):
        for at in range(_RATE // 8):
            place = start + 8 * at
            lanes[at] ^= int.from_bytes(padded[place : place + 8], "little")
        lanes = _permute(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])
