"""Starts the service: `python3 docs/python/serve.py`, with the variables of docs/implementers.md."""

from swap_service.server import main

main()
