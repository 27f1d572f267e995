"""What is to be swapped. Amounts are decimal text and `Decimal`: a float would change them (0.1 + 0.2)."""

from __future__ import annotations

import json
import re
from decimal import Decimal

_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_DIGITS_OF_A_DOUBLE = 15
"""A double holds any decimal number of so many digits."""


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
        """The fields of quote and build, without the amount. They are the same for both (SPEC 4.2).

        What the goal leaves open is left out, so that the service's default applies.
        """
        fields = {"from": self.source["symbol"], "to": self.target["symbol"], "sender": sender}
        for side, token in (("from", self.source), ("to", self.target)):
            # SPEC 4.1: a token outside the registry needs its address and decimals.
            if not token["inRegistry"]:
                fields |= {f"{side}Address": token["address"], f"{side}Decimals": token["decimals"]}
        optional = ("slippageBps", "partnerFeeBps", "partnerFeeRecipient", "preferEngine")
        return fields | {name: self._members[name] for name in optional if name in self._members}


def _most_raw(amount: str, decimals: int) -> int:
    """The most base units of the input that the swap and its fee may cost."""
    whole, _, fraction = amount.partition(".")
    # Surplus digits are cut off: rounding up would spend more than the goal says.
    raw = int(whole + fraction.ljust(decimals, "0")[:decimals])
    # A service may read the amount as a double; a longer one may then be larger, in the 16th digit.
    is_long = len((whole + fraction).lstrip("0")) > _DIGITS_OF_A_DOUBLE
    return raw + raw // 10**_DIGITS_OF_A_DOUBLE if is_long else raw
