"""AWS: DynamoDB, queues, the Lambda Runtime API, and faults injected into them."""
