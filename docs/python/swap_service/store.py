"""Keys, builds and confirmed swaps in SQLite. Of the keys, only SHA-256 digests are stored."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from dataclasses import dataclass
from decimal import Decimal
from typing import Optional

_TABLES = """
CREATE TABLE IF NOT EXISTS keys (
  digest TEXT PRIMARY KEY, id TEXT NOT NULL, partner TEXT NOT NULL,
  individual INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS builds (
  id TEXT PRIMARY KEY, key_id TEXT NOT NULL, sender TEXT NOT NULL, target TEXT NOT NULL,
  data BLOB NOT NULL, value TEXT NOT NULL, built_ms INTEGER NOT NULL,
  valid_until_ms INTEGER NOT NULL, usd TEXT
);
CREATE TABLE IF NOT EXISTS swaps (
  build_id TEXT PRIMARY KEY REFERENCES builds (id), tx_hash TEXT NOT NULL UNIQUE,
  confirmed_ms INTEGER NOT NULL
);
"""


class StorageUnavailable(Exception):
    """The database cannot be used now (SPEC 7: confirm responds 503)."""


@dataclass(frozen=True)
class Key:
    """An active API key."""

    id: str
    partner: str
    individual: bool


@dataclass(frozen=True)
class Build:
    """A stored build, which a reported transaction has to match (SPEC 4.3 rule 1)."""

    id: str
    key_id: str
    sender: str
    target: str
    data: bytes
    value: str
    built_ms: int
    valid_until_ms: int
    usd: Optional[str]


class Store:
    """One connection, used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()
        self._db.executescript(f"PRAGMA journal_mode = WAL; {_TABLES}")

    def add_keys(self, path: str) -> None:
        """Adds the keys of a file that `plumbline` wrote."""
        with open(path, encoding="utf-8") as file:
            keys = json.load(file)["keys"].values()
        for key in keys:
            row = (digest(key["secret"]), key["keyId"], key["partnerId"], key["kind"] != "legacy")
            self._rows("INSERT OR IGNORE INTO keys VALUES (?, ?, ?, ?, 0)", row)

    def key(self, secret: str) -> Optional[Key]:
        """The active key with this secret, or None."""
        rows = self._rows(
            "SELECT id, partner, individual FROM keys WHERE digest = ? AND NOT revoked",
            (digest(secret),),
        )
        return Key(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    def revoke(self, key_id: str) -> bool:
        """Revokes a key; returns False if no key has this id."""
        self._rows("UPDATE keys SET revoked = 1 WHERE id = ?", (key_id,))
        return bool(self._rows("SELECT id FROM keys WHERE id = ?", (key_id,)))

    def save_build(self, build: Build) -> None:
        """Inserts a build."""
        row = tuple(vars(build).values())
        self._rows("INSERT INTO builds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def find_build(self, build_id: str, key: Key) -> Optional[Build]:
        """A build of this key, or None; builds of other keys are not found (SPEC 7: 404)."""
        rows = self._rows("SELECT * FROM builds WHERE id = ? AND key_id = ?", (build_id, key.id))
        return Build(*rows[0]) if rows else None

    def attribute(self, build: Build, tx_hash: str, now_ms: int) -> bool:
        """Credits a transaction to a build, once; False if either is attributed elsewhere."""
        self._rows("INSERT OR IGNORE INTO swaps VALUES (?, ?, ?)", (build.id, tx_hash, now_ms))
        rows = self._rows("SELECT tx_hash FROM swaps WHERE build_id = ?", (build.id,))
        return rows == [(tx_hash,)]

    def totals(self, key: Key) -> tuple[int, Optional[int], Decimal, int]:
        """Number of swaps, last confirmation (ms), total USD input, and number without a price."""
        rows = self._rows(
            "SELECT confirmed_ms, usd FROM swaps JOIN builds ON builds.id = build_id"
            " WHERE key_id = ? ORDER BY confirmed_ms",
            (key.id,),
        )
        priced = [Decimal(usd) for _, usd in rows if usd is not None]
        last = rows[-1][0] if rows else None
        return len(rows), last, sum(priced, Decimal(0)), len(rows) - len(priced)

    def _rows(self, statement: str, values: tuple) -> list[tuple]:
        try:
            with self._lock:
                return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            raise StorageUnavailable(str(problem)) from problem


def digest(secret: str) -> str:
    """Hashes a key for storage."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
