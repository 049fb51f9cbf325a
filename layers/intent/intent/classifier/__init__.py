"""The learned linear classifier: features, weights (`learned.weights`) and calibrated verdict."""
