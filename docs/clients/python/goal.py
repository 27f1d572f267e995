"""The goal of the swap. Amounts are decimal text and `Decimal`: a float would change them (0.1 + 0.2)."""

from __future__ import annotations

import json
import re
from decimal import Decimal

_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_DIGITS_OF_A_DOUBLE = 15
"""Every decimal number of up to this many digits survives in a double."""


class Goal:
    """The file that SWAP_GOAL names."""

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            members = json.load(file)
        self._members = members
        self.source, self.target = members["from"], members["to"]
        self.is_native = self.source["address"] == "native"
        self.amount: str = members["amount"]
        self.least = Decimal(members.get("minimumReceived", "0"))
        self.fee_bps: int = members.get("partnerFeeBps", 0)
        self.time_s: int = members["timeoutS"]
        if not _DECIMAL.fullmatch(self.amount):
            raise ValueError(f'{path}: "{self.amount}" is no decimal number such as 250.5')
        self.most_raw = _most_raw(self.amount, self.source["decimals"])

    def fields(self, sender: str) -> dict:
        """Returns the fields of quote and build without the amount, which are the same for both (SPEC 4.2).

        Fields that the goal does not set are left out, so that the service's defaults apply.
        """
        fields = {"from": self.source["symbol"], "to": self.target["symbol"], "sender": sender}
        for side, token in (("from", self.source), ("to", self.target)):
            # SPEC 4.1: a token outside the registry needs its address and decimals.
            if not token["inRegistry"]:
                fields |= {f"{side}Address": token["address"], f"{side}Decimals": token["decimals"]}
        optional = ("slippageBps", "partnerFeeBps", "partnerFeeRecipient", "preferEngine")
        return fields | {name: self._members[name] for name in optional if name in self._members}


def _most_raw(amount: str, decimals: int) -> int:
    """Returns the limit for swap and fee together, in base units of the input."""
    whole, _, fraction = amount.partition(".")
    # Surplus digits are cut off: rounding up would exceed the goal's amount.
    raw = int(whole + fraction.ljust(decimals, "0")[:decimals])
    # A service that reads a longer amount as a double may get a larger one, in the 16th digit.
    is_long = len((whole + fraction).lstrip("0")) > _DIGITS_OF_A_DOUBLE
    return raw + raw // 10**_DIGITS_OF_A_DOUBLE if is_long else raw
