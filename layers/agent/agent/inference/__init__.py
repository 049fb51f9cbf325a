"""Models at work: routing, the tool loop, question answering, spending guards, tools a caller gets."""
