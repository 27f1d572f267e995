"""Revokes a key of a running service: `python3 docs/python/revoke.py KEY_ID`."""

import sys

from swap_service.config import settings
from swap_service.store import Store

if not Store(settings().database).revoke(sys.argv[1]):
    sys.exit(f"no key has the id {sys.argv[1]}")
