"""Training of the models that read the acts of a message. For development only, never deployed."""
