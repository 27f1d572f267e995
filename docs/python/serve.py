"""Starts the service, with the environment variables that docs/implementers.md lists."""

from swap_service.server import main

main()
