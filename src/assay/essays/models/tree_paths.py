"""Trees that LightGBM fitted, asked without it: each essay's path, and what every split on it adds.

The share of a feature is the sum, over the splits on it along the path, of the node's mean after the split minus before
(Saabas): shares and the means of the roots add up to the prediction exactly. Values must be finite.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.arrays import Floats, ReadOnlyArrays

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class TreePaths(ReadOnlyArrays):
    """All trees of a model, one after the other; (trees, nodes), inner nodes first, then leaves."""

    feature: Places
    """The feature of an inner node's split; -1 of a leaf."""
    threshold: Floats
    left: Places
    right: Places
    """The node that follows where the value is at most the threshold, and the other."""
    value: Floats
    """The mean of a node, what its tree says of essays that end there."""

    def shares(self, row: Floats, features: int) -> tuple[Floats, float]:
        """(features,): what each adds to the sum of all trees, and the sum of the roots."""
        trees = np.arange(len(self.feature))
        node, shares = np.zeros(len(trees), dtype=np.int64), np.zeros(features)
        open_trees = trees
        while len(open_trees := open_trees[self.feature[open_trees, node[open_trees]] >= 0]):
            at = node[open_trees]
            split = self.feature[open_trees, at]
            below = row[split] <= self.threshold[open_trees, at]
            node[open_trees] = np.where(below, self.left[open_trees, at], self.right[open_trees, at])
            np.add.at(shares, split, self.value[open_trees, node[open_trees]] - self.value[open_trees, at])
        return shares, float(self.value[:, 0].sum())


def tree_paths(texts: tuple[str, ...]) -> TreePaths:
    """From the text of LightGBM's models; the sum over all of them divided by their number. ValueError for damage."""
    trees = [_tree(part, len(texts)) for text in texts for part in text.split("\nTree=")[1:]]
    size = max((len(tree[0]) for tree in trees), default=0)
    if not size:
        raise ValueError("there are no trees")
    columns = (
        np.array([[*column, *[empty] * (size - len(column))] for column in each])
        for each, empty in zip(zip(*trees, strict=True), (-1, 0.0, 0, 0, 0.0), strict=True)
    )
    feature, threshold, left, right, value = columns
    if not all(np.isfinite(array).all() for array in (threshold, value)):
        raise ValueError("a tree holds a number that is none")
    return TreePaths(feature, threshold, left, right, value)


def _tree(text: str, models: int) -> tuple[list[int], list[float], list[int], list[int], list[float]]:
    fields = dict(line.split("=", 1) for line in text.split("\n") if "=" in line)
    leaves = [float(v) / models for v in fields["leaf_value"].split()]
    if int(fields["num_leaves"]) == 1:
        return [-1], [0.0], [0], [0], leaves
    split = [int(v) for v in fields["split_feature"].split()]
    inner = len(split)
    if len(leaves) != inner + 1:
        raise ValueError("a tree with too few leaves")

    def nodes(name: str) -> list[int]:
        places = [int(v) if int(v) >= 0 else inner + ~int(v) for v in fields[name].split()]
        if len(places) != inner or not all(k < place < inner + len(leaves) for k, place in enumerate(places)):
            raise ValueError("a tree that leads nowhere")
        return [*places, *[0] * len(leaves)]

    threshold = [float(v) for v in fields["threshold"].split()]
    means = [float(v) / models for v in fields["internal_value"].split()]
    if len(threshold) != inner or len(means) != inner:
        raise ValueError("a split without a threshold")
    return (
        [*split, *[-1] * len(leaves)],
        [*threshold, *[0.0] * len(leaves)],
        nodes("left_child"),
        nodes("right_child"),
        [*means, *leaves],
    )
