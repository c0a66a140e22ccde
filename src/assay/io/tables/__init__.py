"""Tables on disk: formats, columns, ids, folders of parts, and what is written."""
