"""The tools around the notebooks: python -m helpers.workshop COMMAND, or make COMMAND."""
