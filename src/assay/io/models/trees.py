"""Text of gradient boosted trees -> `Trees`, checked: LightGBM trusts its numbers, and would read past its arrays.

The form is LightGBM's own (version 4): a header, then for each tree the number of leaves, and for each split its
feature, its threshold and its two children: another split, counted from 0, or a leaf, counted from -1 downwards.
"""

from collections.abc import Mapping
from math import isfinite

from assay.essays.models.hybrid.boosting import END, Trees

MOST_TREES, MOST_LEAVES = 10_000, 4_096
SPLITS = ("split_feature", "split_gain", "threshold", "decision_type", "left_child", "right_child")
SPLITS_AS_REPORTED = ("internal_value", "internal_weight", "internal_count")
LEAVES = ("leaf_value", "leaf_weight", "leaf_count")
KNOWN = {*SPLITS, *SPLITS_AS_REPORTED, *LEAVES, "num_leaves", "num_cat", "is_linear", "shrinkage"}
NUMERICAL = 0xE
"""Bits of a decision about numbers: where those that are missing go."""


def read_trees(text: str) -> Trees:
    """The trees of a text; ValueError when it is none, or numbers in it do not fit together."""
    if not isinstance(text, str) or not text.startswith("tree\n"):
        raise ValueError("trees are no text of LightGBM")
    body, end, _ = text.partition(END)
    if not (body.isascii() and body.replace("\n", "").isprintable()):
        raise ValueError("trees hold letters that LightGBM does not write")
    head, *blocks = body.split("\nTree=")
    header = _fields(head)
    features = int(header["max_feature_idx"]) + 1
    if not end or not 0 < features <= MOST_LEAVES or not 0 < len(blocks) <= MOST_TREES:
        raise ValueError("trees break off, or are too many")
    if (header["num_class"], header["num_tree_per_iteration"]) != ("1", "1") or "objective" not in header:
        raise ValueError("trees are of another kind")
    if any(len(header[name].split()) != features for name in ("feature_names", "feature_infos")):
        raise ValueError("a feature of the trees has no name")
    for block in blocks:
        _check(_fields(block), features)
    return Trees(text)


def _fields(block: str) -> Mapping[str, str]:
    pairs = [line.partition("=") for line in block.split("\n") if "=" in line]
    fields = {name: value for name, _, value in pairs}
    if len(fields) < len(pairs):
        raise ValueError("trees state something twice")
    return fields


def _numbers(tree: Mapping[str, str], name: str, count: int) -> list[float]:
    numbers = [float(number) for number in tree[name].split()]
    if len(numbers) != count or not all(map(isfinite, numbers)):
        raise ValueError(f"a tree has not one {name} each")
    return numbers


def _check(tree: Mapping[str, str], features: int) -> None:
    """ValueError unless every split leads to later splits or to leaves, by a feature that there is."""
    leaves = int(tree["num_leaves"])
    if set(tree) - KNOWN or not 0 < leaves <= MOST_LEAVES or (tree["num_cat"], tree["is_linear"]) != ("0", "0"):
        raise ValueError("a tree is of another kind")
    if leaves == 1:  # a constant
        _numbers(tree, "leaf_value", 1)
        return
    columns = {name: _numbers(tree, name, leaves - 1) for name in (*SPLITS, *SPLITS_AS_REPORTED)}
    for name in LEAVES:
        _numbers(tree, name, leaves)
    _numbers(tree, "shrinkage", 1)
    for place, (feature, kind, *children) in enumerate(
        zip(*(columns[name] for name in ("split_feature", "decision_type", "left_child", "right_child")), strict=True)
    ):
        if not (feature.is_integer() and 0 <= feature < features and kind.is_integer() and int(kind) & ~NUMERICAL == 0):
            raise ValueError("a tree asks for a feature that there is not")
        if not all(child.is_integer() and (place < child < leaves - 1 or -leaves <= child < 0) for child in children):
            raise ValueError("a split of a tree leads nowhere")
