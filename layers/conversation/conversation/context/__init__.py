"""What of a conversation a model gets to see, and the summary of the rest."""
