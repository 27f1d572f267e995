"""Prices a trade at every venue and ranks the answers by output after gas (SPEC 1).

Everything is read in one round trip: each venue's quotes, the USD marks, the gas price. A second one
is made for tokens outside the registry, to see whether a transfer of them arrives whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Iterable, Optional

from . import abi
from .chain import Call, Chain, call, mark, mark_call, number
from .config import Manifest, Token
from .requests import Trade
from .rpc import Deadline, quantity, raised
from .simulations import outcomes, simulation, transaction
from .venues import Way, holder_of, ways

_NATIVE_LIMIT = 10**9 * 10**18
"""No pool holds a billion ETH."""
_STRANGER = "0x00000000000000000000000000000000005eed01"
_ETH_DECIMALS = 18


@dataclass(frozen=True)
class Offer:
    """What a venue would pay for a trade."""

    way: Way
    raw_out: int
    gas_cost: Decimal
    """Gas in units of the token bought."""
    net: Decimal


@dataclass(frozen=True)
class Prices:
    """All that is known about a trade at one moment; `offers` has the best venue first."""

    trade: Trade
    offers: tuple[Offer, ...]
    gas_price: int
    eth_mark: Optional[Decimal]
    sold_mark: Optional[Decimal]
    bought_mark: Optional[Decimal]
    sender_wei: int

    def network_fee(self, gas: int) -> Decimal:
        """What gas costs, in ETH."""
        return Decimal(gas * self.gas_price).scaleb(-_ETH_DECIMALS)

    def offer(self, way: Way, raw_out: int) -> Offer:
        """An offer with its gas expressed in output units."""
        out = self.trade.bought.amount(raw_out)
        cost = round_digits(self._in_output(self.network_fee(way.gas), out))
        return Offer(way, raw_out, cost, out - cost)

    def _in_output(self, eth: Decimal, out: Decimal) -> Decimal:
        """An amount of ETH in units of the token bought: by the marks, else by the swap's own rate."""
        if self.eth_mark is None:
            return Decimal(0)
        if self.bought_mark is not None:
            return eth * self.eth_mark / self.bought_mark
        if self.sold_mark is not None:
            return eth * self.eth_mark / self.sold_mark * out / self.trade.amount
        return Decimal(0)


def round_digits(value: Decimal, digits: int = 18) -> Decimal:
    """A value with so many significant digits."""
    return value if value == 0 else round(value, digits - 1 - value.adjusted())


class Pricer:
    """Prices trades on one chain."""

    def __init__(self, chain: Chain, manifest: Manifest) -> None:
        self.chain = chain
        self.manifest = manifest

    def price(self, trade: Trade, deadline: Deadline) -> Prices:
        """Every venue's offer; raises ChainUnavailable when the chain cannot be read."""
        candidates = list(ways(trade, self.manifest))
        venues = list(dict.fromkeys(way.venue.id for way in candidates))
        groups = [
            [way.quote_call(trade) for way in candidates if way.venue.id == venue]
            for venue in venues
        ]
        feeds = [self._eth_feed(), trade.sold.feed, trade.bought.feed]
        supply = [] if trade.bought.is_native else [call(trade.bought.address, "totalSupply()")]
        extra: list[tuple[str, list]] = [("eth_gasPrice", [])]
        if trade.sender is not None:
            extra.append(("eth_getBalance", [trade.sender, "latest"]))
        read, rest = self.chain.read(
            [*groups, *map(mark_call, feeds), supply, self._holdings(trade)], extra, deadline
        )
        *marks, supplies, holdings = read[len(groups) :]
        eth_mark, sold_mark, bought_mark = map(mark, marks)
        prices = Prices(
            trade=trade,
            offers=(),
            gas_price=quantity(raised(rest[0])),
            eth_mark=eth_mark,
            sold_mark=sold_mark,
            bought_mark=bought_mark,
            sender_wei=quantity(raised(rest[1])) if len(rest) > 1 else 0,
        )
        limit = _NATIVE_LIMIT if trade.bought.is_native else number(supplies[0]) or 0
        outputs = [data for group in read[: len(groups)] for data in group]
        best: dict[str, Offer] = {}
        for way, data in zip(candidates, outputs):
            raw_out = number(data)
            if raw_out is None or not 0 < raw_out <= limit:
                continue  # It reverted, or said what no swap can pay.
            offer = prices.offer(way, raw_out)
            if way.venue.id not in best or offer.net > best[way.venue.id].net:
                best[way.venue.id] = offer
        if best and not self._arrive_whole(trade, holdings, deadline):
            best = {}
        return replace(prices, offers=ranked(best.values()))

    def _eth_feed(self) -> Optional[str]:
        return next(each.feed for each in self.manifest.registry.values() if each.is_native)

    def _strange(self, trade: Trade) -> list[Token]:
        """The tokens of a trade that are not in the registry."""
        sides = (trade.sold, trade.bought)
        return [each for each in sides if self.manifest.token_at(each.address) is None]

    def _holdings(self, trade: Trade) -> list[Call]:
        """Calls for the balance of each strange token at a contract that holds it."""
        return [
            call(token.address, "balanceOf(address)", holder_of(token, self.manifest) or _STRANGER)
            for token in self._strange(trade)
        ]

    def _arrive_whole(
        self, trade: Trade, holdings: list[Optional[bytes]], deadline: Deadline
    ) -> bool:
        """Whether transfers of the strange tokens arrive whole.

        A token that keeps a part of each transfer is refused: no venue quotes what would arrive.
        """
        simulations: list[tuple[str, list]] = []
        moved = []
        for token, held in zip(self._strange(trade), holdings):
            holder, amount = holder_of(token, self.manifest), (number(held) or 0) // 2
            if holder and amount:
                moved.append(amount)
                simulations.append(simulation(_trial(token, holder, amount)))
        if not simulations:
            return True
        _, results = self.chain.read([], simulations, deadline)
        return all(
            _arrived(outcomes(raised(result))) == amount for result, amount in zip(results, moved)
        )


def ranked(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers by output after gas, best first."""
    return tuple(sorted(offers, key=lambda offer: offer.net, reverse=True))


def _trial(token: Token, holder: str, amount: int) -> list[dict]:
    balance = transaction(holder, call(token.address, "balanceOf(address)", _STRANGER))
    transfer = call(token.address, "transfer(address,uint256)", _STRANGER, amount)
    return [balance, transaction(holder, transfer), balance]


def _arrived(steps: list[tuple[bool, bytes]]) -> Optional[int]:
    (_, before), (succeeded, told), (_, after) = steps
    if not succeeded or told == bytes(abi.WORD):
        return None
    return (number(after) or 0) - (number(before) or 0)
