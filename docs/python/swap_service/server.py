"""HTTP: paths, authentication, and the status of each outcome (SPEC 4, 5, 7)."""

from __future__ import annotations

import decimal
import re
import sys
import traceback
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Optional
from urllib.parse import urlsplit

from .budget import Budget
from .builds import Builds, NoRoute, iso
from .chain import Chain
from .config import Manifest, Settings, read_manifest, settings
from .confirms import (
    RETRY_AFTER_S,
    Attributed,
    Confirms,
    NoSuchBuild,
    NotYet,
    Unmatched,
    read_report,
)
from .pricing import Pricer
from .quotes import Quotes
from .requests import BadRequest, read_body, read_query, read_trade
from .rpc import ChainUnavailable, Rpc
from .store import Key, StorageUnavailable, Store
from .wire import to_json

QUOTE = "/api/v1/quote"
BUILD = "/api/v1/swap/build"
CONFIRM = "/api/v1/swap/confirm"
TOTALS = "/api/v1/partner/totals"
_LONGEST_BODY = 65_536
_LENGTH = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Response:
    """Status, JSON body and extra headers of a response."""

    status: int
    body: dict
    headers: dict = field(default_factory=dict)


class Unauthorized(Exception):
    """The request carries no active key."""


class Service:
    """The endpoints, without HTTP."""

    def __init__(self, options: Settings, manifest: Manifest) -> None:
        self._manifest = manifest
        self._store = Store(options.database)
        self._store.add_keys(options.keys)
        chain = Chain(Rpc(manifest.rpc_url), manifest)
        pricer = Pricer(chain, manifest)
        self._quotes = Quotes(pricer)
        self._builds = Builds(pricer, manifest, self._store)
        self._confirms = Confirms(chain, self._store)
        self._budget = Budget(options.budget_reports, options.budget_window_s)

    def key(self, header: Optional[str]) -> Optional[Key]:
        """The key of a request; None without the header. Raises Unauthorized for an unknown key."""
        if header is None:
            return None
        scheme, _, secret = header.partition(" ")
        key = self._store.key(secret.strip()) if scheme.lower() == "bearer" else None
        if key is None:
            raise Unauthorized
        return key

    def quote(self, query: str, header: Optional[str]) -> Response:
        """SPEC 4.1. Prices are public: a request without a key is served too."""
        try:
            self.key(header)
            trade = read_trade(read_query(query), self._manifest, is_build=False)
            return Response(200, self._quotes.quote(trade))
        except Unauthorized:
            return Response(403, {"error": "this API key is not active"})
        except BadRequest as problem:
            return Response(422, {"error": str(problem)})
        except (ChainUnavailable, StorageUnavailable):
            return Response(503, {"error": "prices are not available now"}, {"Retry-After": "2"})

    def build(self, body: bytes, header: Optional[str]) -> Response:
        """SPEC 4.2. A build without a key has no attribution."""
        try:
            key = self.key(header)
            trade = read_trade(read_body(body), self._manifest, is_build=True)
            return Response(200, self._builds.build(trade, key))
        except Unauthorized:
            return Response(403, {"error": "this API key is not active"})
        except BadRequest as problem:
            return Response(400, {"error": str(problem)})
        except NoRoute:
            return Response(422, {"error": "no executable route"})
        except (ChainUnavailable, StorageUnavailable):
            return Response(502, {"error": "build failed"}, {"Retry-After": "2"})

    def confirm(self, body: bytes, header: Optional[str]) -> Response:
        """SPEC 4.3."""
        try:
            report = read_report(read_body(body))
            key = self.key(header)
            if key is None or not key.individual:
                raise Unauthorized  # A shared key does not identify a partner.
            wait_s = self._budget.spend(key.partner)
            if wait_s > 0:
                return Response(429, _told("budget spent"), {"Retry-After": str(wait_s)})
            return Response(200, self._confirms.confirm(*report, key))
        except BadRequest as problem:
            return Response(400, _told(str(problem)))
        except Unauthorized:
            return Response(401, _told("no active API key"), {"WWW-Authenticate": "Bearer"})
        except NotYet as reason:
            return Response(202, {"pending": str(reason)}, {"Retry-After": str(RETRY_AFTER_S)})
        except NoSuchBuild:
            return Response(404, _told("this key has no such build"))
        except Attributed:
            return Response(409, _told("attributed elsewhere"))
        except Unmatched as reason:
            return Response(422, _told(str(reason)))
        except (ChainUnavailable, StorageUnavailable):
            return Response(503, _told("cannot verify now"), {"Retry-After": str(RETRY_AFTER_S)})

    def totals(self, header: Optional[str]) -> Response:
        """The partner report for the key of the request (SPEC 4.3 rule 8)."""
        try:
            key = self.key(header)
            if key is None:
                raise Unauthorized
            swaps, last_ms, usd, unpriced = self._store.totals(key)
        except Unauthorized:
            return Response(401, _told("no active API key"))
        except StorageUnavailable:
            return Response(503, _told("storage is not available now"))
        last = None if last_ms is None else iso(last_ms)
        totals = {"swaps": swaps, "last": last, "inputUsd": str(usd), "unpriced": unpriced}
        return Response(200, {"totals": totals})


def _told(message: str) -> dict:
    return {"message": message}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    service: Service
    protocol_version = "HTTP/1.1"
    server_version = "swap-service"
    disable_nagle_algorithm = True
    wbufsize = 65_536
    timeout = 60

    def do_GET(self) -> None:
        """quote and totals"""
        self._answer()

    def do_POST(self) -> None:
        """build and confirm"""
        self._answer()

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_POST

    def _answer(self) -> None:
        body = self._body()
        try:
            response = self._respond(body)
        except Exception:  # A bug must not break the connection.
            traceback.print_exc(file=sys.stderr)
            response = Response(500, {"error": "internal error"})
        self._send(response)

    def _respond(self, body: Optional[bytes]) -> Response:
        url, key = urlsplit(self.path), self.headers.get("Authorization")
        if body is None:
            return Response(400, {"error": "the length of the body is not given or too great"})
        if (self.command, url.path) == ("GET", QUOTE):
            return self.service.quote(url.query, key)
        if (self.command, url.path) == ("POST", BUILD):
            return self.service.build(body, key)
        if (self.command, url.path) == ("POST", CONFIRM):
            return self.service.confirm(body, key)
        if (self.command, url.path) == ("GET", TOTALS):
            return self.service.totals(key)
        known = url.path in (QUOTE, BUILD, CONFIRM, TOTALS)
        return Response(405 if known else 404, {"error": "nothing is served here"})

    def _body(self) -> Optional[bytes]:
        """Reads the body; if it cannot be read, returns None and ends the connection."""
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not _LENGTH.fullmatch(length):
            self.close_connection = True
            return None
        if int(length) > _LONGEST_BODY:
            self.close_connection = True
            return None
        return self.rfile.read(int(length))

    def _send(self, response: Response) -> None:
        payload = to_json(response.body).encode()
        self.send_response(response.status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Cache-Control", "no-store, private")
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """No log of requests: the suite records them."""


class Server(ThreadingHTTPServer):
    """Uses one thread for each connection."""

    daemon_threads = True
    request_queue_size = 128


def main() -> None:
    """Serves until it is killed."""
    decimal.DefaultContext.prec = 100
    options = settings()
    manifest = read_manifest(options.manifest)
    handler = type("BoundHandler", (Handler,), {"service": Service(options, manifest)})
    Server(("127.0.0.1", options.port), handler).serve_forever()
