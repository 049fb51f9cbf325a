"""The commands that the documents show: read, typed into a shell, and compared with what the page says."""
