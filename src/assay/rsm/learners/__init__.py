"""Models that turn prepared features into scores."""
