"""Reasons not to swap. No person reviews a build, so these checks are the only guard."""

from __future__ import annotations

from decimal import Decimal

from goal import Goal

_CHAIN_ID = 4663


class Refused(Exception):
    """The client decided not to swap; no swap was sent."""


def check_route(route: dict | None) -> None:
    """Refuses a quote without a route, and the estimate `market`, which cannot be built (SPEC 4.1 rules 1 and 2)."""
    if route is None:
        raise Refused("no venue can price the pair")
    if route["engine"] == "market" or route["executable"] is not True:
        raise Refused("the route is an estimate that cannot be built")


def check_chain(chain_id: int, whose: str) -> None:
    """SPEC 2.3: clients must reject any other chain."""
    if chain_id != _CHAIN_ID:
        raise Refused(f"{whose} is of chain {chain_id}, not of {_CHAIN_ID}")


def check_build(build: dict, goal: Goal) -> None:
    """Refuses a build that costs more or yields less than the goal allows."""
    route, tx, transfer = build["route"], build["tx"], build.get("feeTransfer")
    check_route(route)
    check_chain(tx["chainId"], "the build")
    # SPEC 4.2 rule 7: the build's minimum is the guarantee, not the quote's.
    if Decimal(route["minimumReceived"]) < goal.least:
        raise Refused(f"the build guarantees {route['minimumReceived']}, not {goal.least}")

    fee_raw = 0 if transfer is None else int(transfer["amountRaw"])
    most_fee_raw = -(-goal.most_raw * goal.fee_bps // 10_000)
    # SPEC 4.2 rule 5: the fee is carved out of the amount, so it is in the input token.
    is_other_token = transfer is not None and transfer["token"].lower() != goal.source["address"].lower()
    if is_other_token or fee_raw > most_fee_raw:
        raise Refused(f"a fee transfer of {fee_raw} base units of {transfer['token']} is above the goal's fee")

    # SPEC 2.3: the value is 0 for an ERC-20 input.
    most_value_raw = goal.most_raw - fee_raw if goal.is_native else 0
    if int(tx["value"]) > most_value_raw:
        raise Refused(f"the build sends {tx['value']} wei, not {most_value_raw}")
