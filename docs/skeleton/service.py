"""The smallest service that the suite can run against: it checks keys and requests, and prices nothing.

Standard library only. Extend it with pricing (`route`), building and confirming.
    npx plumbline conform --start 'python3 docs/skeleton/service.py' --profile http --capabilities docs/skeleton/capabilities.json
"""

import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

with open(os.environ["PLUMBLINE_SANDBOX"], encoding="utf-8") as file:
    MANIFEST = json.load(file)
with open(os.environ["PLUMBLINE_KEYS"], encoding="utf-8") as file:
    KEYS = {key["secret"] for key in json.load(file)["keys"].values()}

REGISTRY = {token["symbol"] for token in MANIFEST["registry"]}
VENUES = {venue["id"] for venue in MANIFEST["venues"]}
SYMBOL = re.compile(r"[A-Za-z0-9._-]{1,24}")
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
NO_ROUTE = {
    "route": None,
    "listedFeeBps": 0,
    "integratorFeeBps": 0,
    "partnerFeeBps": 0,
    "partnerFeeRecipient": None,
    "totalFeeBps": 0,
}


class BadRequest(Exception):
    """The request breaks the rule that the message names."""


def whole(request, name, least, most, default=None):
    """Reads a field that must be a whole number in a range."""
    value = request.get(name, default)
    if value is None:
        raise BadRequest(f"{name} is missing")
    text = str(value)
    if not re.fullmatch(r"-?\d+", text) or not least <= int(text) <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most}")
    return int(text)


def check(request, amount):
    """Checks the rules that quote and build share (SPEC 4.1)."""
    for side in ("from", "to"):
        if not SYMBOL.fullmatch(str(request.get(side, ""))):
            raise BadRequest(f"{side} must be a token symbol")
        if request[side] in REGISTRY:
            continue
        address = str(request.get(f"{side}Address", ""))
        if not ADDRESS.fullmatch(address) and not (side == "from" and address == "native"):
            raise BadRequest(f"{side}Address must be a 0x address")
        whole(request, f"{side}Decimals", 0, 36)
    if amount is None or not 0 < amount < float("inf"):
        raise BadRequest("amount must be a number above 0")
    whole(request, "slippageBps", 0, 5000, 50)
    if whole(request, "partnerFeeBps", 0, 50, 0) > 0:
        if not ADDRESS.fullmatch(str(request.get("partnerFeeRecipient", ""))):
            raise BadRequest("partnerFeeRecipient must be a 0x address")
    if request.get("preferEngine", request.get("engine", "venue_a")) not in VENUES:
        raise BadRequest("preferEngine must be a venue")


def decimal(text):
    """Parses a number of a query; None if it is malformed."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


class Service(BaseHTTPRequestHandler):
    """The endpoints under /api/v1/."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """quote"""
        url = urlsplit(self.path)
        if url.path != "/api/v1/quote":
            return self.answer(404, {"error": "there is nothing here"})
        if not self.has_key():
            return self.answer(401, {"error": "the API key is not active"})
        request = dict(parse_qsl(url.query, keep_blank_values=True))
        try:
            check(request, decimal(request.get("amount")))
        except BadRequest as problem:
            return self.answer(400, {"error": str(problem)})
        return self.answer(200, NO_ROUTE)

    def do_POST(self):
        """build and confirm"""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path not in ("/api/v1/swap/build", "/api/v1/swap/confirm"):
            return self.answer(404, {"error": "there is nothing here"})
        if not self.has_key():
            return self.answer(401, {"error": "the API key is not active"})
        try:
            request = json.loads(body)
            if not isinstance(request, dict):
                raise BadRequest("the body must be an object")
            status, message = self.build(request) if self.path.endswith("build") else self.confirm(request)
        except ValueError:
            status, message = 400, "the body is not JSON"
        except BadRequest as problem:
            status, message = 400, str(problem)
        return self.answer(status, {"error": message})

    @staticmethod
    def build(request):
        """Checks the request; no pair has a price, so none can be built."""
        amount = request.get("amount")
        is_number = isinstance(amount, (int, float)) and not isinstance(amount, bool)
        check(request, amount if is_number else None)
        if not ADDRESS.fullmatch(str(request.get("sender", ""))):
            raise BadRequest("sender must be a 0x address")
        return 422, "no executable route"

    @staticmethod
    def confirm(request):
        """Checks the request; no build exists, so none is found."""
        if not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", str(request.get("buildId"))):
            raise BadRequest("buildId must be a UUID")
        if not re.fullmatch(r"0x[0-9a-fA-F]{64}", str(request.get("txHash"))):
            raise BadRequest("txHash must be a transaction hash")
        return 404, "no build belongs to this key"

    def has_key(self):
        """Returns whether the request carries a known key."""
        scheme, _, key = self.headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and key in KEYS

    def answer(self, status, body):
        """Sends a JSON response."""
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "private, no-store")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Service).serve_forever()
