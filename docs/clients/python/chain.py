"""The account on its chain: signs calls, sends them, and follows them until they are mined."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from exchange import exchange, until_final
from keccak import keccak256
from refusals import check_chain
from secp256k1 import address_of, sign
from transaction import sign_transaction

_TIMEOUT_S = 5
_POLL_S = 0.2


class NodeRefusal(Exception):
    """The node understood a call and refused it."""


class Chain:
    """One account, and a node of its chain."""

    def __init__(self, url: str, private_key: str) -> None:
        self._url = url
        # Unlike int(), fromhex() does not print a malformed key in its error.
        self._key = int.from_bytes(bytes.fromhex(private_key[2:]), "big")
        self.address = address_of(self._key)

    def read(self, to: str, data: str) -> str:
        """Calls a function of a contract, and returns its result."""
        return self._request("eth_call", {"to": to, "data": data}, "latest")

    def now_s(self) -> int:
        """The timestamp of the newest block."""
        return int(self._request("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def checked_chain_id(self) -> int:
        """Reads and checks the chain id. Needed before each signature, because one URL may lead to several nodes."""
        chain_id = int(self._request("eth_chainId"), 16)
        check_chain(chain_id, "the node")
        return chain_id

    def sign_digest(self, digest: bytes) -> bytes:
        """Signs a digest for a contract: returns r, s and v."""
        r, s, parity = sign(digest, self._key)
        return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])

    def sign(self, calls: list[dict]) -> list[dict]:
        """Signs calls with successive nonces and sends none of them: the caller saves the bytes first.

        Raises NodeRefusal when a call would revert.
        """
        chain_id = self.checked_chain_id()
        head = self._request("eth_getBlockByNumber", "latest", False)
        gas_price = int(self._request("eth_gasPrice"), 16)
        first_nonce = self._nonce_at("pending")
        signed = []
        for nonce, call in enumerate(calls, first_nonce):
            to, data, value = call["to"], call["data"], int(call["value"])
            tried = {"from": self.address, "to": to, "data": data, "value": hex(value)}
            raw = sign_transaction(
                self._key,
                chain_id=chain_id,
                nonce=nonce,
                tip=gas_price - int(head["baseFeePerGas"], 16),
                max_fee=2 * gas_price,
                # A swap may need more gas by the time it is mined.
                gas=int(self._request("eth_estimateGas", tried), 16) * 3 // 2,
                to=to,
                value=value,
                data=data,
            )
            after = int(head["number"], 16)
            tx_hash = "0x" + keccak256(raw).hex()
            signed.append({**call, "nonce": nonce, "afterBlock": after, "hash": tx_hash, "raw": "0x" + raw.hex()})
        return signed

    def until_mined(self, transactions: list[dict]) -> str:
        """Sends missing transactions until the last one is mined, and returns its hash.

        After a first start, a lost response, a restart or a reorganisation the node gets the same
        bytes again, so no call is executed twice.
        """
        while (receipt := self._send_missing(transactions)) is None:
            time.sleep(_POLL_S)
        if int(receipt["status"], 16) != 1:
            raise RuntimeError(f"the {transactions[-1]['role']} {receipt['transactionHash']} reverted")
        return receipt["transactionHash"]

    def _send_missing(self, transactions: list[dict]) -> dict | None:
        """Looks up each transaction once, in nonce order. Returns the receipt of the last one; None: not mined yet."""
        receipt = None
        for transaction in transactions:
            receipt = self._receipt_of(transaction)
            if receipt is not None or self._request("eth_getTransactionByHash", transaction["hash"]) is not None:
                continue
            print(f"sending the {transaction['role']} {transaction['hash']}", file=sys.stderr)
            try:
                self._request("eth_sendRawTransaction", transaction["raw"])
            except NodeRefusal as refusal:
                # Its nonce was used meanwhile, or the node is not ready; the next round decides. Later transactions must wait.
                print(refusal, file=sys.stderr)
                return None
        return receipt

    def _receipt_of(self, transaction: dict) -> dict | None:
        """Returns the receipt of a transaction or of its replacement, the same call under another hash (SPEC 4.3 rule 5)."""
        receipt = self._request("eth_getTransactionReceipt", transaction["hash"])
        if receipt is not None or self._nonce_at("latest") <= transaction["nonce"]:
            return receipt
        mined = self._mined_with(transaction["nonce"], transaction["afterBlock"])
        if mined is None:
            return None
        if not _is_same_call(mined, transaction):
            raise RuntimeError(f"the nonce of the {transaction['role']} was used by {mined['hash']}")
        return self._request("eth_getTransactionReceipt", mined["hash"])

    def _mined_with(self, nonce: int, after_block: int) -> dict | None:
        """Finds the account's transaction with this nonce by a binary search for the block that increased the nonce."""
        before, at = after_block, int(self._request("eth_blockNumber"), 16)
        while at - before > 1:
            middle = (before + at) // 2
            if self._nonce_at(hex(middle)) > nonce:
                at = middle
            else:
                before = middle
        block = self._request("eth_getBlockByNumber", hex(at), True) or {"transactions": []}
        return next(
            (
                each
                for each in block["transactions"]
                if each["from"].lower() == self.address and int(each["nonce"], 16) == nonce
            ),
            None,
        )

    def _nonce_at(self, block: str) -> int:
        return int(self._request("eth_getTransactionCount", self.address, block), 16)

    def _request(self, method: str, *params: Any) -> Any:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        headers = {"Content-Type": "application/json"}
        response = until_final(method, lambda: exchange(self._url, _TIMEOUT_S, "POST", headers, body))
        if not isinstance(response.body, dict) or "result" not in response.body:
            raise NodeRefusal(f"{method}: {response}")
        return response.body["result"]


def _is_same_call(mined: dict, transaction: dict) -> bool:
    return (
        (mined["to"] or "").lower() == transaction["to"].lower()
        and mined["input"].lower() == transaction["data"].lower()
        and int(mined["value"], 16) == int(transaction["value"])
    )
