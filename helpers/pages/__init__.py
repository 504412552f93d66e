"""What the page of a single notebook shows or does: curves, tables, its clock, its processes."""
