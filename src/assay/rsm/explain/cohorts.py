"""Groups of responses whose scores come about in like ways."""

from dataclasses import dataclass

import numpy as np

from assay.rsm.explain.explanation import Explanation
from assay.rsm.types import Scores


@dataclass(frozen=True, eq=False, slots=True)
class Cohort:
    """Responses that meet a condition, and the mean absolute share of each feature among them."""

    rule: str
    n: int
    mean_size: Scores


def cohorts(explanation: Explanation, count: int) -> tuple[Cohort, ...]:
    """At most so many groups, told apart by feature values so that shares within each are as alike as can be.

    The leaves of a regression tree that predicts the shares from the features. Source: shap 0.4x, auto cohorts.
    """
    from sklearn.tree import DecisionTreeRegressor  # noqa: PLC0415

    if len(explanation) < 2 * count:
        return ()
    tree = DecisionTreeRegressor(max_leaf_nodes=count, random_state=0).fit(explanation.matrix, explanation.values)
    leaf = tree.apply(explanation.matrix)
    rules = _rules(tree.tree_, explanation.features)
    return tuple(
        Cohort(rules[node], int(np.sum(leaf == node)), np.abs(explanation.values[leaf == node]).mean(axis=0))
        for node in sorted(set(leaf.tolist()))
    )


def _rules(tree: object, features: tuple[str, ...]) -> dict[int, str]:
    """Leaf -> the conditions on the way to it."""
    rules: dict[int, str] = {}
    left, right, feature, threshold = (
        getattr(tree, name) for name in ("children_left", "children_right", "feature", "threshold")
    )
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if left[node] < 0:
            rules[node] = " and ".join(conditions) or "all responses"
            continue
        name, cut = features[feature[node]], f"{threshold[node]:.2f}"
        waiting.append((int(left[node]), (*conditions, f"{name} ≤ {cut}")))
        waiting.append((int(right[node]), (*conditions, f"{name} > {cut}")))
    return rules
