"""Prices a trade at every venue and ranks the answers by output after gas (SPEC 1).

Each venue's quotes, the USD marks and the gas price are read in one round trip. Some trades need
a second one: a token outside the registry is tested for a fee on transfer, and where USD marks are
missing, the venues are asked for the output of a little ETH.
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
_PROBE_ETH = Decimal("0.01")


@dataclass(frozen=True)
class Offer:
    """The output of a trade at a venue."""

    way: Way
    raw_out: int
    gas_cost: Decimal
    """Cost of the gas in units of the token bought."""
    net: Decimal


@dataclass(frozen=True)
class Prices:
    """All offers and marks for a trade, read together; `offers` has the best venue first."""

    trade: Trade
    offers: tuple[Offer, ...]
    gas_price: int
    eth_mark: Optional[Decimal]
    sold_mark: Optional[Decimal]
    bought_mark: Optional[Decimal]
    sender_wei: int
    pool_rate: Decimal = Decimal(0)
    """Output of one ETH at the best venue; read only where marks are missing."""

    def network_fee(self, gas: int) -> Decimal:
        """The cost of gas in ETH."""
        return Decimal(gas * self.gas_price).scaleb(-_ETH_DECIMALS)

    def offer(self, way: Way, raw_out: int) -> Offer:
        """Makes an offer, with the gas cost in output units."""
        out = self.trade.bought.amount(raw_out)
        cost = round_digits(self._in_output(self.network_fee(way.gas), out))
        return Offer(way, raw_out, cost, out - cost)

    def _in_output(self, eth: Decimal, out: Decimal) -> Decimal:
        """Converts ETH to the token bought: by the marks, the rate of the swap, or a venue."""
        if self.eth_mark is not None and self.bought_mark is not None:
            return eth * self.eth_mark / self.bought_mark
        if self.eth_mark is not None and self.sold_mark is not None:
            return eth * self.eth_mark / self.sold_mark * out / self.trade.amount
        return eth * self.pool_rate


def round_digits(value: Decimal, digits: int = 18) -> Decimal:
    """Rounds to a number of significant digits."""
    return value if value == 0 else round(value, digits - 1 - value.adjusted())


class Pricer:
    """Prices trades on one chain."""

    def __init__(self, chain: Chain, manifest: Manifest) -> None:
        self.chain = chain
        self.manifest = manifest

    def price(self, trade: Trade, deadline: Deadline) -> Prices:
        """Prices the trade at all venues; raises ChainUnavailable if the chain cannot be read."""
        candidates = list(ways(trade, self.manifest))
        feeds = [self._eth().feed, trade.sold.feed, trade.bought.feed]
        supply = [] if trade.bought.is_native else [call(trade.bought.address, "totalSupply()")]
        extra: list[tuple[str, list]] = [("eth_gasPrice", [])]
        if trade.sender is not None:
            extra.append(("eth_getBalance", [trade.sender, "latest"]))
        quoted = [[way.quote_call(trade)] for way in candidates]
        read, rest = self.chain.read(
            [*quoted, *map(mark_call, feeds), supply, self._holdings(trade)], extra, deadline
        )
        *marks, supplies, holdings = read[len(quoted) :]
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
        outputs = [
            (way, raw_out)
            for way, (data,) in zip(candidates, read)
            for raw_out in [number(data) or 0]
            if 0 < raw_out <= limit  # Excludes reverts and impossible amounts.
        ]
        if not outputs:
            return prices
        arrives_whole, pool_rate = self._look_closer(prices, holdings, deadline)
        if not arrives_whole:
            return prices
        prices = replace(prices, pool_rate=pool_rate)
        best: dict[str, Offer] = {}
        for way, raw_out in outputs:
            offer = prices.offer(way, raw_out)
            if way.venue.id not in best or offer.net > best[way.venue.id].net:
                best[way.venue.id] = offer
        return replace(prices, offers=ranked(best.values()))

    def _eth(self) -> Token:
        return next(each for each in self.manifest.registry.values() if each.is_native)

    def _strange(self, trade: Trade) -> list[Token]:
        """The tokens of a trade that are not in the registry."""
        sides = (trade.sold, trade.bought)
        return [each for each in sides if self.manifest.token_at(each.address) is None]

    def _holdings(self, trade: Trade) -> list[Call]:
        """Calls for the balance of each unregistered token at a contract that holds it."""
        return [
            call(token.address, "balanceOf(address)", holder_of(token, self.manifest) or _STRANGER)
            for token in self._strange(trade)
        ]

    def _look_closer(
        self, prices: Prices, holdings: list[Optional[bytes]], deadline: Deadline
    ) -> tuple[bool, Decimal]:
        """Returns whether unregistered tokens arrive in full, and the output of one ETH.

        A token that charges a fee on transfer is refused, because no quote of a venue includes it.
        The output of one ETH is read only where marks are missing.
        """
        trade = prices.trade
        simulations: list[tuple[str, list]] = []
        moved = []
        for token, held in zip(self._strange(trade), holdings):
            holder, amount = holder_of(token, self.manifest), (number(held) or 0) // 2
            if holder and amount:
                moved.append(amount)
                simulations.append(simulation(_trial(token, holder, amount)))
        probes = self._probes(prices)
        if not simulations and not probes:
            return True, Decimal(0)
        read, results = self.chain.read(probes, simulations, deadline)
        arrived = [_arrived(outcomes(raised(result))) for result in results]
        bought = max((number(data) or 0 for (data,) in read), default=0)
        return arrived == moved, trade.bought.amount(bought) / _PROBE_ETH

    def _probes(self, prices: Prices) -> list[list[Call]]:
        """Quotes for a little ETH, needed unless ETH and one of the tokens have marks."""
        if prices.eth_mark is not None and (prices.bought_mark or prices.sold_mark):
            return []
        raw = int(_PROBE_ETH.scaleb(_ETH_DECIMALS))
        probe = replace(
            prices.trade,
            sold=self._eth(),
            amount=_PROBE_ETH,
            raw_amount=raw,
            fee_bps=0,
            engine=None,
        )
        return [[way.quote_call(probe)] for way in ways(probe, self.manifest)]


def ranked(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Sorts offers by output after gas, best first."""
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
