"""Stream followers that run after a turn: titles, summaries, labels from feedback, requested deletions."""
