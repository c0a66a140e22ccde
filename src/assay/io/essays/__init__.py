"""Essays from tables, documents and folders, and the tables of their features and scores."""
