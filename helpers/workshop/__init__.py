"""What runs, records, compares, falsifies and measures the notebooks: no learner needs it."""
