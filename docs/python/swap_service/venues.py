"""The six venues: the ways through each, the calls that price them and the calldata that swaps.

docs/venues.md specifies for each venue whether it trades ETH or WETH, its `route` argument, and
whether the settlement contract or the venue itself is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

from . import abi
from .chain import Call, call
from .config import NATIVE, Manifest, Token, Venue
from .requests import Trade

SETTLEMENT_SWAP = (
    "swap((address,address,address,address,address,uint256,uint256,address,uint256,bool,bytes))"
)
_QUOTE_ROUTED = "quoteExactIn(address,address,uint256,bytes)"
_QUOTE_DIRECT = "quote(address,address,uint256)"
_SWAP_DIRECT = "swap(address,address,uint256,uint256,address)"
GAS = {
    "venue_a": 190_000,
    "venue_b": 240_000,
    "venue_c": 170_000,
    "venue_d": 230_000,
    "venue_e": 260_000,
    "venue_f": 180_000,
}
"""Gas of a typical swap, for the ranking (SPEC 1) and `networkFeeEth`."""
GAS_PER_EXTRA_HOP = 80_000


@dataclass(frozen=True)
class Way:
    """One way to swap at a venue: a pool, a fee tier or a path."""

    venue: Venue
    token_in: str
    token_out: str
    route: bytes
    middle: tuple[str, ...] = ()

    @property
    def gas(self) -> int:
        """Expected gas of the swap."""
        return GAS[self.venue.id] + GAS_PER_EXTRA_HOP * len(self.middle)

    def quote_call(self, trade: Trade) -> Call:
        """The call that prices this way; it reverts when the venue cannot price it."""
        at = (self.venue.address, self.token_in, self.token_out, trade.raw_swapped)
        if self.venue.fee_inside:
            return call(at[0], _QUOTE_ROUTED, *at[1:], self.route)
        return call(at[0], _QUOTE_DIRECT, *at[1:])

    def swap_call(self, trade: Trade, minimum: int, settlement: str) -> Call:
        """The transaction that swaps; it encodes the minimum output (SPEC 4.2 rule 3)."""
        if not self.venue.fee_inside:
            ends = (trade.sold.address, trade.bought.address)
            return call(
                self.venue.target, _SWAP_DIRECT, *ends, trade.raw_swapped, minimum, trade.sender
            )
        order = (
            self.venue.address,
            trade.sold.address,
            trade.bought.address,
            self.token_in,
            self.token_out,
            trade.raw_amount,
            trade.raw_fee,
            trade.fee_recipient or NATIVE,
            minimum,
            self.uses_permit(trade),
            self.route,
        )
        return call(settlement, SETTLEMENT_SWAP, order)

    def uses_permit(self, trade: Trade) -> bool:
        """True if the venue takes the input through a signed permit."""
        return self.venue.permit2 and not trade.sold.is_native


def ways(trade: Trade, manifest: Manifest) -> Iterator[Way]:
    """All ways through the venues, or through the preferred venue."""
    if _twin(trade.sold, manifest) == _twin(trade.bought, manifest):
        return  # No venue swaps a token for itself, or ETH for WETH.
    for venue in manifest.venues:
        if trade.engine in (None, venue.id):
            yield from _ways_at(venue, trade, manifest)


def _twin(token: Token, manifest: Manifest) -> str:
    return manifest.weth if token.is_native else token.address


def _ways_at(venue: Venue, trade: Trade, manifest: Manifest) -> Iterator[Way]:
    wrapped = [_twin(token, manifest) for token in (trade.sold, trade.bought)]
    if venue.id == "venue_a":
        yield Way(venue, *wrapped, abi.encode(["address[]"], [wrapped]))
        if manifest.weth not in wrapped:
            path = [wrapped[0], manifest.weth, wrapped[1]]
            route = abi.encode(["address[]"], [path])
            yield Way(venue, *wrapped, route, (manifest.weth,))
    elif venue.id == "venue_b":
        for fee, _ in venue.fee_tiers:
            yield Way(venue, *wrapped, abi.encode(["uint24"], [fee]))
    elif venue.id == "venue_e":
        native = [NATIVE if each == manifest.weth else each for each in wrapped]
        for tier in venue.fee_tiers:
            yield Way(venue, *native, abi.encode(["uint24", "int24"], tier))
    elif venue.id == "venue_f":
        yield Way(venue, *wrapped, b"")
    else:
        yield Way(venue, trade.sold.address, trade.bought.address, b"")


def holder_of(token: Token, manifest: Manifest) -> str:
    """A contract that holds the token, to simulate a transfer from; "" if none is known."""
    for venue in manifest.venues:
        for holder, pair in venue.holders:
            if token.address in pair:
                return holder
    return ""
