"""People and courses as other systems know them."""
