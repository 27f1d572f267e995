"""JSON-RPC over kept-alive HTTP connections: a batch is one request with one deadline.

Every failure is a `ChainUnavailable`: build answers it with 502, confirm with 503 (SPEC 7). A node
of another chain is a failure too: every batch reads the chain id (SPEC 1).
"""

from __future__ import annotations

import http.client
import json
import queue
import re
import time
from typing import Any, Sequence
from urllib.parse import urlsplit

CHAIN_ID = 4663
_LONGEST_REPLY = 4 * 1024 * 1024
_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,64}")
_BYTES = re.compile(r"0x(?:[0-9a-fA-F]{2})*")


class ChainUnavailable(Exception):
    """The node gave no usable reply."""


class CallRefused(ChainUnavailable):
    """The node replied to one call with an error."""


def quantity(value: Any) -> int:
    """Parses a hex number of a node."""
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value):
        raise ChainUnavailable(f"expected a hex quantity, not {str(value)[:80]!r}")
    return int(value, 16)


def octets(value: Any) -> bytes:
    """Parses hex bytes of a node."""
    if not isinstance(value, str) or not _BYTES.fullmatch(value):
        raise ChainUnavailable(f"expected hex bytes, not {str(value)[:80]!r}")
    return bytes.fromhex(value[2:])


class Deadline:
    """The end of a request's time budget (SPEC 8: 15 s for a quote, 30 s for a build)."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        """Returns the seconds left; raises ChainUnavailable when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise ChainUnavailable("the chain took too long")
        return left


class Rpc:
    """A client of one node, safe for use by several threads."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._idle: queue.LifoQueue[http.client.HTTPConnection] = queue.LifoQueue()

    def batch(self, calls: Sequence[tuple[str, list]], deadline: Deadline) -> list[Any]:
        """Returns the results of the calls (method, parameters), in their order.

        The result is a CallRefused for a call to which the node replied with an error.
        """
        asked = [("eth_chainId", []), *calls]
        body = json.dumps(
            [
                {"jsonrpc": "2.0", "id": at, "method": method, "params": params}
                for at, (method, params) in enumerate(asked)
            ]
        )
        replies = self._parse(self._send(body.encode(), deadline), len(asked))
        results = [self._result(reply) for reply in replies]
        chain = raised(results[0])
        if quantity(chain) != CHAIN_ID:
            raise ChainUnavailable(f"the node serves chain {quantity(chain)}, not {CHAIN_ID}")
        return results[1:]

    def _send(self, body: bytes, deadline: Deadline) -> bytes:
        """Sends a POST; if a kept connection fails, as it may be closed, again on a new one.

        All calls are reads, so sending them twice is safe.
        """
        try:
            kept = self._idle.get_nowait()
        except queue.Empty:
            return self._exchange(self._connect(), body, deadline)
        try:
            return self._exchange(kept, body, deadline)
        except ChainUnavailable:
            return self._exchange(self._connect(), body, deadline)

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port)

    def _exchange(
        self, connection: http.client.HTTPConnection, body: bytes, deadline: Deadline
    ) -> bytes:
        try:
            connection.timeout = deadline.remaining()
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(deadline.remaining())
            connection.request("POST", self._path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status != 200:
                raise ChainUnavailable(f"the node replied with HTTP {response.status}")
            reply = bytearray()
            while chunk := response.read1(65536):
                reply += chunk
                if len(reply) > _LONGEST_REPLY:
                    raise ChainUnavailable("the node sent too long a reply")
                if connection.sock is not None:
                    connection.sock.settimeout(deadline.remaining())
            if response.length:
                raise ChainUnavailable("the reply was cut off")
        except (OSError, http.client.HTTPException) as problem:
            connection.close()
            raise ChainUnavailable(f"no reply from the node: {problem!r}") from problem
        except ChainUnavailable:
            connection.close()
            raise
        self._idle.put(connection)
        return bytes(reply)

    @staticmethod
    def _parse(reply: bytes, count: int) -> list[dict]:
        """Returns the replies in the order of the calls, with exactly one for each call."""
        try:
            replies = json.loads(reply)
        except (ValueError, RecursionError) as problem:
            raise ChainUnavailable("the node sent no JSON") from problem
        if not isinstance(replies, list) or len(replies) != count:
            raise ChainUnavailable("the node did not reply to each call of the batch")
        by_id = {
            reply.get("id"): reply
            for reply in replies
            if isinstance(reply, dict) and type(reply.get("id")) is int
        }
        if set(by_id) != set(range(count)):
            raise ChainUnavailable("the replies do not belong to the calls")
        return [by_id[at] for at in range(count)]

    @staticmethod
    def _result(reply: dict) -> Any:
        if "error" in reply:
            return CallRefused(f"the node refused a call: {str(reply['error'])[:200]}")
        if "result" not in reply:
            raise ChainUnavailable("a reply has neither result nor error")
        return reply["result"]


def raised(result: Any) -> Any:
    """Returns a result of a batch, or raises it if it is a CallRefused."""
    if isinstance(result, CallRefused):
        raise result
    return result
