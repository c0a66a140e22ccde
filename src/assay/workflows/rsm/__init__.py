"""RSMTool's commands as verbs: tool, eval, predict, xval, compare, summarize, explain."""
