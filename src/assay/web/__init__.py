"""The web app: `create_app(settings)` in `app.py`, started by `assay serve` through `server.py`."""
