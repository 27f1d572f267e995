"""The swap routing service in Python, standard library only; README.md says how to read it."""
