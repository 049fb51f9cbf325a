"""Stream followers that run after a turn: titles, summaries, lessons from feedback, requested deletions."""
