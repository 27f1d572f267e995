"""GET /api/v1/quote (SPEC 4.1)."""

from __future__ import annotations

import threading
import time
import uuid

from .pricing import Prices, Pricer
from .requests import Trade
from .rpc import Deadline
from .wire import NO_ROUTE, QUOTE_LIFETIME_MS, fees, market_route, route

MEMO_S = 1.2
"""Lifetime of the memo for identical parameters: "about 1.5 s" (SPEC 4.1 rule 3)."""
BUDGET_S = 11.0
"""Time limit for the chain's replies, within the 15 s of a quote (SPEC 8)."""
_MEMO_SIZE = 512


class Quotes:
    """Quotes with a memo."""

    def __init__(self, pricer: Pricer) -> None:
        self._pricer = pricer
        self._memo: dict[Trade, tuple[float, Prices]] = {}
        self._lock = threading.Lock()

    def quote(self, trade: Trade) -> dict:
        """Returns the response. The memo holds the numbers, but not `quoteId` and `expiresAt`."""
        return self._routed(self._prices(trade))

    def _routed(self, prices: Prices) -> dict:
        if prices.offers:
            found = route(prices, prices.offers, self._pricer.manifest, new_ids())
        else:
            found = market_route(prices, new_ids())
        return NO_ROUTE if found is None else {**fees(prices.trade), "route": found}

    def _prices(self, trade: Trade) -> Prices:
        now = time.monotonic()
        with self._lock:
            kept = self._memo.get(trade)
            if kept is not None and now - kept[0] < MEMO_S:
                return kept[1]
        prices = self._pricer.price(trade, Deadline(BUDGET_S))
        with self._lock:
            if len(self._memo) >= _MEMO_SIZE:
                self._memo.clear()
            self._memo[trade] = (now, prices)
        return prices


def new_ids() -> dict:
    """Returns a new id and the expiry of a quote."""
    return {
        "expiresAt": int(time.time() * 1000) + QUOTE_LIFETIME_MS,
        "quoteId": str(uuid.uuid4()),
    }
