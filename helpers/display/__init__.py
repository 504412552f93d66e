"""How things are shown: plots, tables, explorers, glosses, the page of a translator."""
