"""Groups of routes that functions register: turns, search, exports, the API's description."""
