"""The map and the diagrams of the series, drawn as SVG."""
