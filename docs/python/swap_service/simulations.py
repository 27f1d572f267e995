"""Executes transactions on top of the head with `eth_simulateV1`, without changing the chain."""

from __future__ import annotations

from typing import Optional

from .chain import Call
from .rpc import ChainUnavailable, octets, quantity


def transaction(sender: str, wanted: Call, value: int = 0, gas: Optional[int] = None) -> dict:
    """Turns a call into a step of a simulation."""
    step = {"from": sender, "to": wanted.to, "data": "0x" + wanted.data.hex(), "value": hex(value)}
    return step if gas is None else {**step, "gas": hex(gas)}


def simulation(steps: list[dict]) -> tuple[str, list]:
    """The RPC call (method, parameters) that executes the steps in order."""
    block = {"blockStateCalls": [{"calls": steps}], "validation": False}
    return "eth_simulateV1", [block, "latest"]


def outcomes(result: object) -> list[tuple[bool, bytes]]:
    """Decodes a simulation: success and returned data of each step."""
    try:
        steps = result[0]["calls"]  # type: ignore[index]
        return [(quantity(step["status"]) == 1, octets(step["returnData"])) for step in steps]
    except (KeyError, IndexError, TypeError) as problem:
        raise ChainUnavailable("the node returned no simulation") from problem
