"""Makes the offline tier's weights from labelled utterances. Development only: nothing here is deployed."""
