"""The swap routing service in Python, standard library only; README.md gives the reading order."""
