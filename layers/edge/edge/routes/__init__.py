"""Groups of routes that several functions or forms share."""
