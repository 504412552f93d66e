"""Checks of the labs' exercises, a module to a lab."""
