"""Follows the stream of the table, and titles, summarises and indexes conversations, files too."""
