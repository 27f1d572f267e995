"""POST /api/v1/swap/build (SPEC 4.2): quote again, simulate, and fall through to the next venue."""

from __future__ import annotations

import secrets
import time
import uuid
from datetime import datetime, timezone
from typing import Optional

from .chain import GROUP_GAS, Call, call, number
from .config import Manifest, Token
from .pricing import Offer, Prices, Pricer, ranked
from .quotes import new_ids
from .requests import Trade
from .rpc import CHAIN_ID, Deadline, raised
from .simulations import outcomes, simulation, transaction
from .store import Build, Key, Store
from .venues import Way
from .wire import fees, route

BUDGET_S = 22.0
"""Time limit for the chain's replies, within the 30 s of a build (SPEC 8)."""
WINDOW_MS = 20 * 60 * 1000
CONFIRMATIONS = 12
_FOR_EVER = (1 << 48) - 1


class NoRoute(Exception):
    """No venue can build the trade now (SPEC 7)."""


class Builds:
    """Builds transactions."""

    def __init__(self, pricer: Pricer, manifest: Manifest, store: Store) -> None:
        self._pricer = pricer
        self._manifest = manifest
        self._store = store

    def build(self, trade: Trade, key: Optional[Key]) -> dict:
        """Returns the response; raises NoRoute when no venue can build the trade."""
        deadline = Deadline(BUDGET_S)
        prices = self._pricer.price(trade, deadline)
        offers = self._executable(prices, deadline)
        winner = offers[0].way
        swap = winner.swap_call(
            trade, trade.minimum(offers[0].raw_out), self._manifest.settlement
        )
        transfer = self._fee_transfer(winner, trade)
        found = route(prices, offers, self._manifest, new_ids())
        return {
            **fees(trade),
            "attribution": None if transfer else self._attribute(key, prices, winner, swap),
            "feeTransfer": transfer,
            "tx": self._tx(winner, trade, swap),
            "engine": winner.venue.id,
            "route": found,
        }

    def _executable(self, prices: Prices, deadline: Deadline) -> tuple[Offer, ...]:
        """Returns the offers, best first, with the simulated output of the best."""
        offers, tried = prices.offers, set()
        while offers and offers[0].way.venue.id not in tried:
            best, others = offers[0], offers[1:]
            tried.add(best.way.venue.id)
            delivered = self._deliver(best, prices, deadline)
            if delivered:
                others = (prices.offer(best.way, delivered), *others)
            offers = ranked(others)
        if not offers:
            raise NoRoute
        return offers

    def _deliver(self, offer: Offer, prices: Prices, deadline: Deadline) -> int:
        """Simulates the swap: base units that the sender receives; 0 when it would revert."""
        trade, way = prices.trade, offer.way
        if trade.sold.is_native and trade.raw_amount > prices.sender_wei:
            return 0  # A node refuses to simulate a value that the sender does not have.
        swap = way.swap_call(trade, trade.minimum(offer.raw_out), self._manifest.settlement)
        sender = str(trade.sender)
        balance = transaction(sender, self._balance_call(trade.bought, sender))
        steps = [
            *(transaction(sender, each) for each in self._approvals(way, trade)),
            self._fee_step(way, trade),
            balance,
            transaction(sender, swap, _value(way, trade), GROUP_GAS),
            balance,
        ]
        _, (result,) = self._pricer.chain.read([], [simulation(steps)], deadline)
        (paid, _), (_, before), (swapped, _), (_, after) = outcomes(raised(result))[-4:]
        return (number(after) or 0) - (number(before) or 0) if paid and swapped else 0

    def _fee_step(self, way: Way, trade: Trade) -> dict:
        """The fee transfer that precedes the swap (SPEC 4.2 rule 5), or a step without effect."""
        fee = 0 if way.venue.fee_inside else trade.raw_fee
        wallet, sender = self._manifest.fee_wallet, str(trade.sender)
        if fee == 0 or trade.sold.is_native:
            return transaction(sender, Call(wallet, b""), fee)
        paid = call(trade.sold.address, "transfer(address,uint256)", wallet, fee)
        return transaction(sender, paid)

    def _balance_call(self, token: Token, owner: str) -> Call:
        if token.is_native:
            return call(self._manifest.multicall, "getEthBalance(address)", owner)
        return call(token.address, "balanceOf(address)", owner)

    def _approvals(self, way: Way, trade: Trade) -> list[Call]:
        """The approvals that the user sends before the swap (SPEC 4.2 rule 4)."""
        token = trade.sold.address
        if trade.sold.is_native:
            return []
        if not way.uses_permit(trade):
            amount = trade.raw_amount if way.venue.fee_inside else trade.raw_swapped
            return [call(token, "approve(address,uint256)", way.venue.target, amount)]
        amount = min(trade.raw_amount, (1 << 160) - 1)
        permit = (token, way.venue.target, amount, _FOR_EVER)
        return [
            call(token, "approve(address,uint256)", self._manifest.permit2, trade.raw_amount),
            call(self._manifest.permit2, "approve(address,address,uint160,uint48)", *permit),
        ]

    def _tx(self, way: Way, trade: Trade, swap: Call) -> dict:
        """SPEC 2.3. For a permit the user approves Permit2, and the permit names `to` as spender."""
        permit = way.uses_permit(trade)
        spender = self._manifest.permit2 if permit else way.venue.target
        return {
            "chainId": CHAIN_ID,
            "permit2": permit,
            "allowanceTarget": None if trade.sold.is_native else spender,
            "value": str(_value(way, trade)),
            "data": "0x" + swap.data.hex(),
            "to": swap.to,
        }

    def _fee_transfer(self, way: Way, trade: Trade) -> Optional[dict]:
        """The fee as a separate transfer, for venues that cannot take it (SPEC 4.2 rule 6)."""
        if way.venue.fee_inside or trade.raw_fee == 0:
            return None
        return {
            "amountRaw": str(trade.raw_fee),
            "to": self._manifest.fee_wallet,
            "token": "native" if trade.sold.is_native else trade.sold.address,
        }

    def _attribute(
        self, key: Optional[Key], prices: Prices, way: Way, swap: Call
    ) -> Optional[dict]:
        """Saves the build for its report to be compared with; individual keys only (SPEC 5)."""
        if key is None or not key.individual:
            return None
        trade, now_ms = prices.trade, int(time.time() * 1000)
        mark = prices.sold_mark
        build = Build(
            id=_ordered_uuid(now_ms),
            key_id=key.id,
            sender=str(trade.sender).lower(),
            target=swap.to,
            data=swap.data,
            value=str(_value(way, trade)),
            built_ms=now_ms,
            valid_until_ms=now_ms + WINDOW_MS,
            usd=None if mark is None else str(mark * trade.amount),
        )
        self._store.save_build(build)
        return {
            "confirmations": CONFIRMATIONS,
            "validUntil": iso(build.valid_until_ms),
            "buildId": build.id,
        }


def _value(way: Way, trade: Trade) -> int:
    """The wei that the transaction sends."""
    if not trade.sold.is_native:
        return 0
    return trade.raw_amount if way.venue.fee_inside else trade.raw_swapped


def _ordered_uuid(now_ms: int) -> str:
    """A UUID of version 7: ids increase with time, which keeps the index compact."""
    bits = now_ms << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=bits))


def iso(epoch_ms: int) -> str:
    """Epoch milliseconds as ISO 8601."""
    moment = datetime.fromtimestamp(epoch_ms / 1000, timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
