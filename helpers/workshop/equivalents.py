"""Random faults that change nothing that a test could or should see, each with its reason.

A fault stands here as `make mutants` prints it when it survives: function, kind, change.
"""

EQUIVALENT: dict[tuple[str, str, str], str] = {}
