"""Training of the offline tier's weights from labelled utterances. For development only, never deployed."""
