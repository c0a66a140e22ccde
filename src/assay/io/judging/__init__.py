"""What a run of judges reads and keeps: rubric, items, answers, and the requests between them."""
