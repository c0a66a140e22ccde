"""The REST API, /api/v1: everything the pages do, for programs."""
