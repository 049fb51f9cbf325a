"""Streamed turns: their frames, and the runtime loop that sends them."""
