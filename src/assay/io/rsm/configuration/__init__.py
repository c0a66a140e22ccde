"""Configurations of RSMTool's commands: one schema of options, how values are read, and what each command asks for."""
