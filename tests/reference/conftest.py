"""The makers of reference files need the other implementations: they are run by hand, not collected."""

collect_ignore = ["make_rsm_eval.py", "make_rsm_tool.py", "rsm_eval_cases.py", "rsm_tool_cases.py"]
