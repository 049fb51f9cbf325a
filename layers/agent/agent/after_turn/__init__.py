"""What follows a turn from the table's stream and needs a model: titles, summaries, labels."""
