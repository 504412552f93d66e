"""Small tasks with a known answer, each trained in seconds."""
