"""Configuration: environment variables and the manifest."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from decimal import Decimal
from typing import Optional

NATIVE = "0x" + "0" * 40
"""The manifest writes the native coin as the zero address."""


@dataclass(frozen=True)
class Token:
    """A token of the registry or of a request; `address` is in lower case."""

    symbol: str
    address: str
    decimals: int
    feed: Optional[str] = None

    @property
    def is_native(self) -> bool:
        """True for ETH itself."""
        return self.address == NATIVE

    def amount(self, raw: int) -> Decimal:
        """Converts base units to human units, exactly."""
        return Decimal(raw).scaleb(-self.decimals)


@dataclass(frozen=True)
class Venue:
    """A venue of the manifest."""

    id: str
    label: str
    address: str
    target: str
    permit2: bool
    fee_inside: bool
    fee_tiers: tuple[tuple[int, int], ...]
    holders: tuple[tuple[str, tuple[str, str]], ...]
    """Contracts that hold the two tokens of a pair, where the manifest lists them."""


@dataclass(frozen=True)
class Manifest:
    """The parts of the sandbox manifest that the service reads."""

    rpc_url: str
    fee_wallet: str
    settlement: str
    permit2: str
    multicall: str
    weth: str
    registry: dict[str, Token]
    symbols: dict[str, str]
    """The registry's symbols by address."""
    venues: tuple[Venue, ...]

    def token_at(self, address: str) -> Optional[Token]:
        """The registry token at an address in lower case."""
        return next((each for each in self.registry.values() if each.address == address), None)


@dataclass(frozen=True)
class Settings:
    """Settings of the operator."""

    port: int
    manifest: str
    keys: str
    database: str
    budget_reports: int
    budget_window_s: float


def settings() -> Settings:
    """Reads the variables that `plumbline conform --start` sets, and those of this service.

    RPC_URL is read by `read_manifest`.
    """
    return Settings(
        port=int(os.environ.get("PORT", "8080")),
        manifest=os.environ["PLUMBLINE_SANDBOX"],
        keys=os.environ["PLUMBLINE_KEYS"],
        database=database(),
        budget_reports=int(os.environ.get("BUDGET_REPORTS", "50")),
        budget_window_s=float(os.environ.get("BUDGET_WINDOW_S", "5")),
    )


def database() -> str:
    """The path of the database in PLUMBLINE_DIR; in memory when that is not set."""
    folder = os.environ.get("PLUMBLINE_DIR")
    return os.path.join(folder, "swaps.sqlite") if folder else ":memory:"


def read_manifest(path: str) -> Manifest:
    """Reads the manifest; the variable RPC_URL overrides its node."""
    with open(path, encoding="utf-8") as file:
        raw = json.load(file)
    tokens = [
        Token(
            each["symbol"],
            each["address"].lower(),
            each["decimals"],
            each["feed"] and each["feed"].lower(),
        )
        for each in raw["registry"]
    ]
    return Manifest(
        rpc_url=os.environ.get("RPC_URL") or raw["rpcUrl"],
        fee_wallet=raw["feeWallet"],
        settlement=raw["settlement"]["address"].lower(),
        permit2=raw["permit2"].lower(),
        multicall=raw["multicall3"].lower(),
        weth=raw["weth"].lower(),
        registry={token.symbol: token for token in tokens},
        symbols={token.address: token.symbol for token in tokens},
        venues=tuple(map(_venue, raw["venues"])),
    )


def _venue(raw: dict) -> Venue:
    tiers = [(tier["fee"], tier["tickSpacing"]) for tier in raw.get("feeTiers", ())]
    own = raw.get("poolManager", raw["address"])
    holders = [
        (each.get("pool", own).lower(), (each["tokens"][0].lower(), each["tokens"][1].lower()))
        for each in [*raw.get("pairs", ()), *raw.get("pools", ())]
    ]
    for key in raw.get("poolKeys", ()):
        tiers.append((key["fee"], key["tickSpacing"]))
        holders.append((own.lower(), (key["currency0"].lower(), key["currency1"].lower())))
    return Venue(
        id=raw["id"],
        label=raw["label"],
        address=raw["address"].lower(),
        target=raw["target"].lower(),
        permit2=raw["approval"]["kind"] == "permit2",
        fee_inside=raw["fee"] == "inside",
        fee_tiers=tuple(dict.fromkeys(tiers)),
        holders=tuple(holders),
    )
