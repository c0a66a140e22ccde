"""One function a verb: read, compute, write. Commands, web workers, the API and Python call these and nothing below."""
