"""Answers a turn, in one piece or streamed."""
