"""Looking inside a trained translator: heads off, vectors exchanged, probes."""
