"""The verbs about annotations: `grade`, `rules` and `agree`, for the command, the web app and Python."""
