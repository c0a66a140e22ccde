"""The report of a panel."""
