"""The rehearsal: a deployment's life on a stand-in for AWS, from the first `sam deploy` to the teardown."""
