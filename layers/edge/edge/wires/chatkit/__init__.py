"""The protocol of ChatKit's servers: one route for threads, their items, and answers that are streamed."""
