"""Responses as JSON. Amounts are exact decimal numbers with all their digits (SPEC 1)."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Optional

from .config import Manifest, Token
from .pricing import Offer, Prices, round_digits
from .requests import Trade

QUOTE_LIFETIME_MS = 30_000
MARKET = "market"
NO_ROUTE = {
    "totalFeeBps": 0,
    "partnerFeeRecipient": None,
    "partnerFeeBps": 0,
    "integratorFeeBps": 0,
    "listedFeeBps": 0,
    "route": None,
}
"""The quote of a pair that no venue can price: every fee is 0 (SPEC 4.1 rule 1)."""


def to_json(value: Any) -> str:
    """Serialises to JSON. Unlike `json`, it writes a Decimal as a number with all its digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{to_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(to_json, value)) + "]"
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    return json.dumps(value)


def fees(trade: Trade) -> dict:
    """The fee envelope of a trade that has a route (SPEC 2.1)."""
    return {
        "totalFeeBps": trade.fee_bps,
        "partnerFeeRecipient": trade.fee_recipient,
        "partnerFeeBps": trade.fee_bps,
        "integratorFeeBps": 0,
        "listedFeeBps": 0,
    }


def route(prices: Prices, offers: tuple[Offer, ...], manifest: Manifest, ids: dict) -> dict:
    """The route of the first offer (SPEC 2.2); `ids` are its quoteId and expiresAt."""
    trade, winner = prices.trade, offers[0]
    venue = winner.way.venue
    middle = [manifest.symbols[each] for each in winner.way.middle]
    stops = [trade.sold.symbol, *middle, trade.bought.symbol]
    return {
        **ids,
        **_amounts(prices, winner.raw_out),
        "alternatives": [_alternative(each, winner, trade.bought) for each in offers],
        "executable": True,
        "networkFeeEth": prices.network_fee(winner.way.gas),
        "hops": [_hop(*ends, venue.id, venue.label) for ends in zip(stops, stops[1:])],
        "venues": [venue.label],
        "engine": venue.id,
    }


def market_route(prices: Prices, ids: dict) -> Optional[dict]:
    """An estimate from the USD marks, for a pair that no venue prices; None without both marks."""
    trade = prices.trade
    sold, bought = _marks(prices)
    if sold is None or bought is None or trade.engine is not None:
        return None
    if trade.sold.address == trade.bought.address:
        return None
    out = trade.sold.amount(trade.raw_swapped) * sold / bought
    raw_out = int(out.scaleb(trade.bought.decimals))
    if raw_out == 0:
        return None
    return {
        **ids,
        **_amounts(prices, raw_out),
        "alternatives": [],
        "executable": False,
        "networkFeeEth": 0,
        "hops": [_hop(trade.sold.symbol, trade.bought.symbol, MARKET, "Market estimate")],
        "venues": ["Market estimate"],
        "engine": MARKET,
    }


def _amounts(prices: Prices, raw_out: int) -> dict:
    trade = prices.trade
    out = trade.bought.amount(raw_out)
    return {
        "protocolFeeBps": trade.fee_bps,
        "slippageBps": trade.slippage_bps,
        "priceImpactBps": _impact(prices, out),
        "midRate": round_digits(out / trade.amount),
        "minimumReceived": trade.bought.amount(trade.minimum(raw_out)),
        "amountOut": out,
        "amountIn": trade.amount,
    }


def _marks(prices: Prices) -> tuple[Optional[Decimal], Optional[Decimal]]:
    """USD marks for display; those of the caller are live and take precedence (SPEC 4.1)."""
    trade = prices.trade
    return trade.sold_mark or prices.sold_mark, trade.bought_mark or prices.bought_mark


def _impact(prices: Prices, out: Decimal) -> Decimal:
    """Loss in USD value between input and output, in bps; 0 for a gain (SPEC 2.2)."""
    sold, bought = _marks(prices)
    if sold is None or bought is None:
        return Decimal(0)
    worth = prices.trade.amount * sold
    return round(max(Decimal(0), (worth - out * bought) / worth * 10_000), 3)


def _hop(start: str, end: str, dex: str, label: str) -> dict:
    return {"share": 1, "dexName": label, "dex": dex, "to": end, "from": start}


def _alternative(offer: Offer, winner: Offer, bought: Token) -> dict:
    behind = winner.net - offer.net
    delta = Decimal(0) if behind == 0 else behind / max(abs(winner.net), Decimal(1).scaleb(-36))
    return {
        "deltaBps": round(delta * 10_000, 4),
        "gasCostOut": offer.gas_cost,
        "netAmountOut": offer.net,
        "amountOut": bought.amount(offer.raw_out),
        "label": offer.way.venue.label,
        "engine": offer.way.venue.id,
    }
