"""Checks quote and build requests by the rules of SPEC 4.1, 4.2 and 8.

A query is text and a body is JSON; both become the same `Trade`. `_token` and `_amount` decide two
points that the specification leaves open: an address overrides a symbol, and no digit is cut off.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Mapping, Optional
from urllib.parse import parse_qsl

from .config import NATIVE, Manifest, Token

ENGINES = tuple(f"venue_{letter}" for letter in "abcdef")
SYMBOL = re.compile(r"[A-Za-z0-9._-]{1,24}")
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_PLAIN = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_LONGEST_NUMBER = 120


class BadRequest(Exception):
    """The request breaks the rule that the message names."""


@dataclass(frozen=True)
class Trade:
    """A checked request. Equal trades have identical parameters (SPEC 4.1 rule 3)."""

    sold: Token
    bought: Token
    amount: Decimal
    raw_amount: int
    slippage_bps: int
    fee_bps: int
    fee_recipient: Optional[str]
    engine: Optional[str]
    sender: Optional[str]
    sold_mark: Optional[Decimal]
    bought_mark: Optional[Decimal]

    @property
    def raw_fee(self) -> int:
        """The partner fee in base units of the token sold, rounded up."""
        return -(-self.raw_amount * self.fee_bps // 10_000)

    @property
    def raw_swapped(self) -> int:
        """The amount for the venue, without the fee."""
        return self.raw_amount - self.raw_fee

    def minimum(self, raw_out: int) -> int:
        """The minimum output at the slippage, rounded up in the user's favour (SPEC 2.2)."""
        return -(-raw_out * (10_000 - self.slippage_bps) // 10_000)


def read_query(query: str) -> dict[str, Any]:
    """Parses the parameters of a quote; numbers stay text until a rule reads them."""
    pairs = parse_qsl(query, keep_blank_values=True)
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadRequest("a parameter is given twice")
    return fields


def read_body(body: bytes) -> dict[str, Any]:
    """Parses the JSON object of build and confirm. Numbers keep every digit."""

    def refuse(name: str) -> None:
        raise BadRequest(f"{name} is not a JSON number")

    try:
        fields = json.loads(body, parse_float=Decimal, parse_int=Decimal, parse_constant=refuse)
    except (ValueError, ArithmeticError, RecursionError) as problem:
        raise BadRequest("the body is not valid JSON") from problem
    if not isinstance(fields, dict):
        raise BadRequest("the body has to be a JSON object")
    return fields


def read_trade(fields: Mapping[str, Any], manifest: Manifest, is_build: bool) -> Trade:
    """Checks a request; raises BadRequest for the first broken rule."""
    fields = {name: value for name, value in fields.items() if value is not None}
    sold = _token(fields, "from", manifest, is_build)
    bought = _token(fields, "to", manifest, is_build)
    amount = _number(fields, "amount", is_build)
    if amount is None:
        raise BadRequest("amount is required")
    fee_bps = _whole(fields, "partnerFeeBps", 0, 50, is_build, 0)
    recipient = _address(fields, "partnerFeeRecipient") if fee_bps > 0 else None
    if fee_bps > 0 and recipient is None:
        raise BadRequest("a partner fee needs a partnerFeeRecipient")
    sender = _address(fields, "sender")
    if is_build and sender is None:
        raise BadRequest("sender is required")
    return Trade(
        sold=sold,
        bought=bought,
        amount=amount,
        raw_amount=_amount(amount, sold.decimals),
        slippage_bps=_whole(fields, "slippageBps", 0, 5000, is_build, 50),
        fee_bps=fee_bps,
        fee_recipient=recipient,
        engine=_engine(fields),
        sender=sender,
        sold_mark=_mark(fields, "fromPriceUsd", is_build),
        bought_mark=_mark(fields, "toPriceUsd", is_build),
    )


def _token(fields: Mapping[str, Any], side: str, manifest: Manifest, in_json: bool) -> Token:
    """The token of one side, with the symbol from the request.

    Symbols are not unique on a chain, so an address overrides the symbol.
    """
    symbol = fields.get(side)
    if not isinstance(symbol, str) or not SYMBOL.fullmatch(symbol):
        raise BadRequest(f"{side} has to be 1 to 24 characters of A-Z a-z 0-9 . _ -")
    decimals = _whole(fields, f"{side}Decimals", 0, 36, in_json, None)
    address = fields.get(f"{side}Address")
    if address is None:
        if symbol not in manifest.registry:
            raise BadRequest(f"{symbol} is not in the registry: give {side}Address")
        known: Optional[Token] = manifest.registry[symbol]
    else:
        if side == "from" and address == "native":
            address = NATIVE
        if not isinstance(address, str) or not ADDRESS.fullmatch(address):
            raise BadRequest(f"{side}Address is not an address")
        known = manifest.token_at(address.lower())
    if known is None and decimals is None:
        raise BadRequest(f"{symbol} is not in the registry: give {side}Decimals")
    if known is None:
        return Token(symbol, str(address).lower(), int(decimals or 0))
    if decimals not in (None, known.decimals):
        raise BadRequest(f"{known.symbol} has {known.decimals} decimals")
    return replace(known, symbol=symbol)


def _amount(amount: Decimal, decimals: int) -> int:
    """Converts to base units; refuses more decimals than the token has."""
    if amount <= 0:
        raise BadRequest("amount has to be greater than 0")
    sign, digits, exponent = amount.as_tuple()
    if len(digits) + abs(int(exponent)) > _LONGEST_NUMBER:
        raise BadRequest("amount has too many digits")
    raw = int("".join(map(str, digits))) * 10 ** max(0, int(exponent) + decimals)
    surplus = 10 ** max(0, -(int(exponent) + decimals))
    if raw % surplus:
        raise BadRequest(f"amount has more than the {decimals} decimals of the token")
    if raw // surplus >= 1 << 256:
        raise BadRequest("amount does not fit the chain")
    return raw // surplus


def _number(fields: Mapping[str, Any], name: str, in_json: bool) -> Optional[Decimal]:
    """Reads a JSON number of a body, or plain decimal text of a query."""
    value = fields.get(name)
    if value is None:
        return None
    if in_json:
        if isinstance(value, Decimal):
            return value
    elif isinstance(value, str) and _PLAIN.fullmatch(value) and len(value) <= _LONGEST_NUMBER:
        return Decimal(value)
    raise BadRequest(f"{name} has to be a number")


def _whole(
    fields: Mapping[str, Any], name: str, least: int, most: int, in_json: bool, default: Any
) -> Any:
    """Reads a whole number in a range (SPEC 8)."""
    value = fields.get(name)
    if value is None:
        return default
    if in_json and isinstance(value, Decimal) and least <= value <= most and value == int(value):
        return int(value)
    if not in_json and _WHOLE.fullmatch(value) and least <= int(value) <= most:
        return int(value)
    raise BadRequest(f"{name} has to be a whole number from {least} to {most}")


def _address(fields: Mapping[str, Any], name: str) -> Optional[str]:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not ADDRESS.fullmatch(value):
        raise BadRequest(f"{name} is not an address")
    return value


def _engine(fields: Mapping[str, Any]) -> Optional[str]:
    """The preferred venue, from either name of the parameter."""
    wanted = {fields[name] for name in ("preferEngine", "engine") if _is_text(fields, name)}
    if not wanted:
        return None
    if len(wanted) > 1:
        raise BadRequest("preferEngine and engine name different venues")
    engine = wanted.pop()
    if engine not in ENGINES:
        raise BadRequest(f"preferEngine has to be one of {', '.join(ENGINES)}")
    return str(engine)


def _is_text(fields: Mapping[str, Any], name: str) -> bool:
    if name in fields and not isinstance(fields[name], str):
        raise BadRequest(f"{name} has to be a venue id")
    return name in fields


def _mark(fields: Mapping[str, Any], name: str, in_json: bool) -> Optional[Decimal]:
    """A live USD mark; one that is not positive is ignored."""
    mark = _number(fields, name, in_json)
    return mark if mark is None or mark > 0 else None
