"""The request budget that the keys of a partner share in confirm (SPEC 7 and 8)."""

from __future__ import annotations

import math
import threading
import time


class Budget:
    """A token bucket for each partner, refilled continuously."""

    def __init__(self, size: int, window_s: float) -> None:
        self._size = size
        self._each_s = window_s / size
        self._full_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def spend(self, partner: str) -> int:
        """Takes one request; returns 0, or the seconds to wait when the bucket is empty."""
        now = time.monotonic()
        with self._lock:
            full_at = max(now, self._full_at.get(partner, now)) + self._each_s
            wait_s = full_at - now - self._each_s * self._size
            if wait_s > 1e-6:
                return math.ceil(wait_s)
            self._full_at[partner] = full_at
            return 0
