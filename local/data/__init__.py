"""Commands over the data folder: import, export helpers, retention, examples."""
