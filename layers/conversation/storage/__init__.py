"""The `Table` port, its keys and its two backends, DynamoDB and SQLite."""
