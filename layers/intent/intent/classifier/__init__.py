"""The learned linear model: features, weights, calibrated verdict. `learned.weights` lies here."""
