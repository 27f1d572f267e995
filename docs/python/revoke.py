"""Revokes a key of a running service: `PLUMBLINE_DIR=… python3 docs/python/revoke.py KEY_ID`."""

import os
import sys

from swap_service.config import database
from swap_service.store import Store

if len(sys.argv) != 2:
    sys.exit("usage: revoke.py KEY_ID")
if not os.environ.get("PLUMBLINE_DIR"):
    sys.exit("PLUMBLINE_DIR has to be that of the running service: its database is there")
if not Store(database()).revoke(sys.argv[1]):
    sys.exit(f"no key has the id {sys.argv[1]}")
