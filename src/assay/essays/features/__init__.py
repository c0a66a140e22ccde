"""The twelve features of an essay, the content words they compare, and the measures of hybrid models."""
