"""HTTP requests and responses: resolver, binding, caller, bodies, parameters, cursors, problems, streams."""
