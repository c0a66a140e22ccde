"""Workspaces of score tables, and how far any workspace can be trusted."""
