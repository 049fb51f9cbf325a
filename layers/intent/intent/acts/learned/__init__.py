"""The learned reading of messages: where its acts begin, their kinds, and the spans of their slots."""
