"""Panels of raters, people and machines: what their ratings, labels and preferences say.

Values in, values out. `scores` is a float array of items x raters, or items x raters x criteria, with NaN for a gap;
`levels` the same with whole numbers 0, 1, 2 ... on an ordered scale, or codes of classes. A long table comes in as
`LongRatings.of_long(item, rater, score, criterion)`, codes from 0, wherever `LongRatings` is accepted. `weights` has
one weight for each item. Chance comes in as `rng`. Results are frozen dataclasses: arrays by rater, item or criterion
in the order of the input, NaN where a figure is undefined; single figures are `Estimate`s (value, low, high, reason);
`cautions` lists what a reader must know, one sentence each. What cannot be computed at all is an `InputError`.

design               LongRatings, linked_raters(ratings): which raters share items, directly or through others
rasch                fit_rasch(levels, partial_credit=False) -> RaschFit: severity, difficulty, measures, fit
generalizability     variance_components(scores), decision_study(components, raters=, criteria=),
                     mixed_decision_study(people, judges, plans), conditional_error(scores)
consensus            majority_vote(levels), dawid_skene(levels), one_coin(levels) -> Consensus; fit_jury(judges, human)
preferences          bradley_terry(first, second, outcome, position=, clusters=), preference_agreement(judge, human)
cumulative_logit     fit_cumulative_logit(levels, covariates): logistic regression for two or more ordered levels
differential         mantel_haenszel(passed, focal, matching), mantel(score, ...), logistic_dif(levels, focal, matching)
equating             equate_linear(engine, human), equate_equipercentile(engine, human, smoothing=)
calibration          fit_isotonic, fit_platt, fit_ordinal; cross_fitted(...); reliability_curve, brier_score, ece
prediction_powered   prediction_powered_mean(human, judge, unlabeled), rogan_gladen(...), labels_needed(...),
                     labels_next(...)
"""
