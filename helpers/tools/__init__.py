"""The tools around the notebooks: python -m helpers.tools COMMAND, or make COMMAND."""
