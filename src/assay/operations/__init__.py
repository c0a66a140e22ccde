"""What an operator needs: look at an installation, back up, restore, verify."""
