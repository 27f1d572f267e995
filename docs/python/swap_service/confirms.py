"""POST /api/v1/swap/confirm (SPEC 4.3): compares a transaction with its build and the chain."""

from __future__ import annotations

import re
import time
from typing import Any, Mapping, Optional

from .builds import CONFIRMATIONS
from .chain import Chain
from .requests import BadRequest
from .rpc import ChainUnavailable, Deadline, octets, quantity, raised
from .store import Build, Key, Store

BUDGET_S = 10.0
CLOCK_SKEW_MS = 2_000
"""Tolerated lag of the chain's clock behind this machine's at the time of the build."""
RETRY_AFTER_S = 5
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(r"0x[0-9a-fA-F]{64}")


class NotYet(Exception):
    """202: the transaction cannot be judged yet; the text says why."""


class Unmatched(Exception):
    """422: reverted, mismatched, or outside the window."""


class NoSuchBuild(Exception):
    """404: no build belonging to this key."""


class Attributed(Exception):
    """409: the build or the transaction is attributed elsewhere."""


def read_report(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the build id and the transaction hash in lower case."""
    build_id, tx_hash = fields.get("buildId"), fields.get("txHash")
    if not isinstance(build_id, str) or not _UUID.fullmatch(build_id):
        raise BadRequest("buildId has to be a UUID")
    if not isinstance(tx_hash, str) or not _HASH.fullmatch(tx_hash):
        raise BadRequest("txHash has to be 0x and 64 hex digits")
    return build_id.lower(), tx_hash.lower()


class Confirms:
    """Attributes swaps to builds."""

    def __init__(self, chain: Chain, store: Store) -> None:
        self._chain = chain
        self._store = store

    def confirm(self, build_id: str, tx_hash: str, key: Key) -> dict:
        """Returns the body of a 200. A repeated report is verified against the chain again."""
        build = self._store.find_build(build_id, key)
        if build is None:
            raise NoSuchBuild
        self._verify(build, tx_hash, Deadline(BUDGET_S))
        if not self._store.attribute(build, tx_hash, int(time.time() * 1000)):
            raise Attributed
        return {"alreadyRecorded": False, "recorded": True}

    def _verify(self, build: Build, tx_hash: str, deadline: Deadline) -> None:
        """Compares the transaction with the build, then checks its block on the current chain."""
        _, (found,) = self._chain.read([], [("eth_getTransactionByHash", [tx_hash])], deadline)
        mined = _field(raised(found), "blockNumber")
        if mined is None:
            raise NotYet("the transaction is not in a block")
        if not _matches(raised(found), build):
            raise Unmatched("the transaction is not the one that was built")
        number = quantity(mined)
        _, results = self._chain.read(
            [],
            [
                ("eth_getTransactionReceipt", [tx_hash]),
                ("eth_getBlockByNumber", [hex(number), False]),
                ("eth_blockNumber", []),
            ],
            deadline,
        )
        receipt, block, head = map(raised, results)
        block_hash = _field(receipt, "blockHash")
        if block_hash is None or block_hash != _field(block, "hash"):
            raise NotYet("the block of the transaction changed")
        if quantity(_field(receipt, "status")) != 1:
            raise Unmatched("the transaction reverted")
        executed_ms = quantity(_field(block, "timestamp")) * 1000
        if not build.built_ms - CLOCK_SKEW_MS <= executed_ms <= build.valid_until_ms:
            raise Unmatched("the transaction was executed outside the window of its build")
        depth = quantity(head) - number
        if depth < CONFIRMATIONS:
            raise NotYet(f"{max(0, depth)} blocks on top of it; {CONFIRMATIONS} are needed")


def _field(reply: object, name: str) -> Optional[Any]:
    """A field of a reply; None when the whole reply is null."""
    if reply is None:
        return None
    if not isinstance(reply, dict) or name not in reply:
        raise ChainUnavailable(f"a reply has no {name}")
    return reply[name]


def _matches(transaction: dict, build: Build) -> bool:
    """Compares sender, target, calldata and value only (SPEC 4.3 rule 1)."""
    return (
        str(_field(transaction, "from")).lower() == build.sender
        and str(_field(transaction, "to")).lower() == build.target
        and octets(_field(transaction, "input")) == build.data
        and quantity(_field(transaction, "value")) == int(build.value)
    )
