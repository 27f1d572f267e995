"""Reads the chain: many contract calls in one round trip, each allowed to fail."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Optional, Sequence

from . import abi
from .config import Manifest
from .rpc import ChainUnavailable, Deadline, Rpc, octets, raised

GROUP_GAS = 12_000_000
"""Gas for the calls of one group, so that a venue that burns gas affects no other group."""
_FEED_DECIMALS = 8


@dataclass(frozen=True)
class Call:
    """The address of a contract and the calldata."""

    to: str
    data: bytes


def call(to: str, signature: str, *values: object) -> Call:
    """Encodes a call of the function with this signature."""
    return Call(to, abi.calldata(signature, *values))


class Chain:
    """Reads one chain."""

    def __init__(self, rpc: Rpc, manifest: Manifest) -> None:
        self.rpc = rpc
        self._multicall = manifest.multicall

    def read(
        self,
        groups: Sequence[Sequence[Call]],
        extra: Sequence[tuple[str, list]],
        deadline: Deadline,
    ) -> tuple[list[list[Optional[bytes]]], list]:
        """Returns the data of each call, None where it failed, and the results of `extra`.

        Each group is one `eth_call` of Multicall3, which reports a failed call as a result. An
        error of the whole `eth_call` therefore means that the node has failed.
        """
        wanted = [group for group in groups if group]
        calls = [("eth_call", [self._aggregate(group), "latest"]) for group in wanted]
        results = self.rpc.batch([*calls, *extra], deadline)
        decoded = iter(
            self._decode(raised(result), len(group)) for result, group in zip(results, wanted)
        )
        return [next(decoded) if group else [] for group in groups], results[len(wanted) :]

    def _aggregate(self, group: Sequence[Call]) -> dict:
        calls = [(each.to, True, each.data) for each in group]
        data = abi.calldata("aggregate3((address,bool,bytes)[])", calls)
        return {"to": self._multicall, "data": "0x" + data.hex(), "gas": hex(GROUP_GAS)}

    @staticmethod
    def _decode(result: object, count: int) -> list[Optional[bytes]]:
        try:
            results = abi.decode_results(octets(result))
        except abi.BadData as problem:
            raise ChainUnavailable("Multicall3 returned what it never returns") from problem
        if len(results) != count:
            raise ChainUnavailable("Multicall3 left out a call")
        return [data if succeeded else None for succeeded, data in results]


def number(data: Optional[bytes]) -> Optional[int]:
    """Decodes a single unsigned word; None for data of any other length."""
    return int.from_bytes(data, "big") if data is not None and len(data) == abi.WORD else None


def mark_call(feed: Optional[str]) -> list[Call]:
    """The call that reads a price feed, in a list; empty for a token without a feed."""
    return [call(feed, "latestRoundData()")] if feed else []


def mark(results: Sequence[Optional[bytes]]) -> Optional[Decimal]:
    """A USD mark; None without a feed, if it reverts or is not above zero (docs/venues.md)."""
    if not results or results[0] is None or len(results[0]) != 5 * abi.WORD:
        return None
    answer = abi.signed(abi.word(results[0], 1))
    return Decimal(answer).scaleb(-_FEED_DECIMALS) if answer > 0 else None
