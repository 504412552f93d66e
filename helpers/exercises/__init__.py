"""Checks of exercises, a module to a notebook: what a reader writes is tried on cases."""
