"""The context of a turn: the messages a model gets to see, and the summary of older ones."""
