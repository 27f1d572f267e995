"""The state that survives a restart."""

from __future__ import annotations

import json
import os
import time
from typing import Any


def now_ms() -> int:
    """The time in epoch milliseconds, the unit of `route.expiresAt`."""
    return time.time_ns() // 1_000_000


class State:
    """A file in the folder that SWAP_STATE names."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        self._path = os.path.join(folder, "swap.json")
        self.started_at_ms = now_ms()
        """Time of the first start; the goal's time counts from it."""
        self.transactions: list[dict] = []
        """All signed transactions in nonce order: approvals, fee transfer, swap."""
        self.swap: dict | None = None
        """None until it is signed; then its hash, and the buildId of its build (None: no attribution)."""
        self.reports = 0
        """Number of reports whose response was not final."""
        self.report_at_ms = 0
        """Time before which no report is sent."""
        self.is_done = False
        """True once the swap is mined and, if attributed, recorded."""
        if os.path.exists(self._path):
            with open(self._path, encoding="utf-8") as file:
                self.__dict__.update(json.load(file))
        self.save()

    def save(self, **changes: Any) -> None:
        """Replaces the file atomically: even if the program is killed, it holds the old state or the new one."""
        self.__dict__.update(changes)
        with open(self._path + ".new", "w", encoding="utf-8") as file:
            json.dump({name: value for name, value in vars(self).items() if name[0] != "_"}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self._path + ".new", self._path)
