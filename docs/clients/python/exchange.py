"""HTTP: single exchanges, and their retries."""

from __future__ import annotations

import http.client
import json
import sys
import time
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, Callable, NamedTuple
from urllib.parse import urlsplit

_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 8.0
_NO_RESPONSE = 0
"""Status of an exchange whose response was lost or cut off: the service may have received the request."""


class Response(NamedTuple):
    """A response, or the lack of one. The body is None if it is not JSON."""

    status: int = _NO_RESPONSE
    body: Any = None
    retry_after_s: float | None = None

    @property
    def is_temporary(self) -> bool:
        """True if the same request may succeed later (SPEC 7)."""
        return self.status in (_NO_RESPONSE, 429) or self.status >= 500

    def pause_s(self, failures: int) -> float:
        """The pause after a number of consecutive failures: `Retry-After`, or else exponential backoff."""
        growing = min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S)
        return max(growing if self.retry_after_s is None else self.retry_after_s, _FIRST_PAUSE_S)

    def __str__(self) -> str:
        return f"{self.status}: {self.body}" if self.status else "no response"


def exchange(url: str, timeout_s: float, method: str, headers: dict, body: str | None = None) -> Response:
    """Sends a request once and reads the whole response.

    http.client does not follow redirects: the API key is only for the service (SPEC 5).
    """
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=timeout_s)
    try:
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        content = _parsed(response.read())
    except (OSError, http.client.HTTPException):
        return Response()
    finally:
        connection.close()
    status = _NO_RESPONSE if response.status == 200 and content is None else response.status
    return Response(status, content, _retry_after_s(response.headers["Retry-After"]))


def until_final(what: str, send: Callable[[], Response]) -> Response:
    """Repeats a request until its response is final. When the goal's time is up, the program ends (swap.py)."""
    failures = 0
    while (response := send()).is_temporary:
        print(f"{what} got {response}; trying again", file=sys.stderr)
        time.sleep(response.pause_s(failures))
        failures += 1
    return response


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content, parse_float=Decimal)
    except ValueError:
        return None


def _retry_after_s(header: str | None) -> float | None:
    """`Retry-After` holds seconds or a date."""
    if header is None:
        return None
    try:
        if header.isdecimal():
            return float(header)
        return parsedate_to_datetime(header).timestamp() - time.time()
    except ValueError:
        return None
