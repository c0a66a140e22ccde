"""Workspaces of annotations: uploads, rules, scores, decisions and exports."""
