"""Language models: the catalogue of models, and single calls with a deadline."""
