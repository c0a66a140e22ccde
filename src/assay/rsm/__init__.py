"""A job: regression on feature tables. Front doors `train_experiment`, `predict`, `cross_validate` in `experiment`,
`explain_responses` in `explain`.
"""
