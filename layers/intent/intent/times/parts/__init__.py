"""What the words of a text say about when, sorted: days, times, exceptions, start and end."""
