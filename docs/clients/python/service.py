"""The three endpoints of the service (SPEC 4)."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from exchange import Response, exchange, until_final

# SPEC 8: a quote takes 15 s at most, a build 30 s.
_QUOTE_TIMEOUT_S = 16
_BUILD_TIMEOUT_S = 31
_CONFIRM_TIMEOUT_S = 10


class Service:
    """A client of the service, which sends the API key with each request."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self._url = base_url.rstrip("/") + "/api/v1"
        self._headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}

    def quote(self, amount: str, fields: dict) -> Response:
        """SPEC 4.1."""
        url = f"{self._url}/quote?{urlencode({**fields, 'amount': amount})}"
        return until_final("the quote", lambda: exchange(url, _QUOTE_TIMEOUT_S, "GET", self._headers))

    def build(self, amount: str, fields: dict) -> Response:
        """SPEC 4.2. A build has no effect by itself, so it is repeated if its response is lost."""
        # A float would round a long number or write an exponent, so the goal's text is inserted as it is.
        body = f'{{"amount":{amount},{json.dumps(fields)[1:]}'
        return until_final("the build", lambda: self._post("/swap/build", body, _BUILD_TIMEOUT_S))

    def confirm(self, build_id: str, tx_hash: str) -> Response:
        """SPEC 4.3, without retries: the caller saves the time of the next report, so that it survives a restart."""
        body = json.dumps({"buildId": build_id, "txHash": tx_hash})
        return self._post("/swap/confirm", body, _CONFIRM_TIMEOUT_S)

    def _post(self, path: str, body: str, timeout_s: float) -> Response:
        return exchange(self._url + path, timeout_s, "POST", self._headers, body)
