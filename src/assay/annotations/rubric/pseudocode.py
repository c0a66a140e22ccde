"""The rules in plain words, as pseudocode that a person can check."""

from collections.abc import Iterator

from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.shapes import FAMILIES

COMPARED = {
    "text": "by text similarity",
    "exact": "equal or not",
    "boolean": "true or false, equal or not",
    "number": "as numbers",
}
LABELS_IN_MATCHING = {
    "ignore": "Labels play no part in it.",
    "tiebreak": "Between pairs that overlap equally, the one with the more similar label (then attributes) is taken.",
    "prefer": "Pairs with the same label are chosen first, then any others.",
    "require": "Only annotations with the same label can match.",
}


def pseudocode(rubric: Rubric) -> str:
    """The rules in plain sentences, for the trainer and the student."""
    return "\n".join(_sentences(rubric))


def _sentences(rubric: Rubric) -> Iterator[str]:
    values = {name: getattr(rubric.thresholds, name) for name in FAMILIES}
    common = max(set(values.values()), key=list(values.values()).count)
    least = [f"{common:g} overlap (keypoint similarity for skeletons)"]
    least += [f"{value:g} for {name}" for name, value in values.items() if value != common]
    least += [f"{rule.least:g} for label {rule.name!r}" for rule in rubric.labels if rule.least is not None]
    yield "FOR EACH IMAGE"
    number = 1
    if rubric.match_key:
        where = "wherever they are drawn" if rubric.key_anywhere else "if they also overlap enough"
        yield f"  {number}. Pair annotations with the same {rubric.match_key!r}, {where}."
        number += 1
    which = "the rest" if rubric.match_key else "annotations"
    yield f"  {number}. Pair {which} so that the total overlap is largest; a pair needs at least"
    yield f"     {', '.join(least)}."
    yield f"     {LABELS_IN_MATCHING[rubric.label_mode]}"
    yield f"  {number + 1}. An object without a pair is MISSED, an annotation without a pair is EXTRA."
    if rubric.only_labels:
        names = ", ".join(repr(name) for name in rubric.only_labels)
        verb = "counts" if len(rubric.only_labels) == 1 else "count"
        yield f"  {number + 2}. Only {names} {verb}: objects and annotations of other labels are left out."
    left_out = [f"shorter than {rubric.smallest:g} pixels"] if rubric.smallest else []
    left_out += [f"whose {name} is {value}" for name, value in rubric.ignore_where]
    if left_out:
        yield f"     Objects {' or '.join(left_out)} are left out."
    localisation, label, attributes = (100 * share for share in rubric.weights.of_match)
    yield from ("", "FOR EACH PAIR")
    yield f"  score = {localisation:.4g} % overlap + {label:.4g} % label + {attributes:.4g} % attributes"
    if rubric.full_overlap < 1:
        yield f"  overlap: divided by {rubric.full_overlap:g}, at most full credit"
    fixed = f"earns {100 * rubric.known_wrong_credit:g} %" if rubric.known_wrong_credit else "earns nothing"
    wrong = fixed if rubric.known_wrong_label == "zero" else "still earns the letters it has right"
    yield f"  label: text similarity, ignoring case and spaces; a wrong class label {wrong}"
    for first, second, credit in rubric.label_credits:
        yield f"  {first!r} for {second!r}, or the other way round, earns {100 * credit:g} %"
    full = "counts as all right" if rubric.no_attributes == "full" else "leaves their weight to the other parts"
    yield f"  attributes: the mean over those the ground truth fills; an object without any {full}"
    yield from ("", "LABELS AND THEIR ATTRIBUTES")
    if not rubric.labels:
        yield "  none are listed: attributes are not compared"
    for rule in rubric.labels:
        listed = []
        for attribute in rule.attributes:
            within = (
                f", within {attribute.tolerance:g}" if attribute.comparator == "number" and attribute.tolerance else ""
            )
            weight = f", weight {attribute.weight:g}" if attribute.weight != 1 else ""
            listed.append(f"{attribute.name} ({COMPARED[attribute.comparator]}{within}{weight})")
        own = (("counts", rule.weight), ("a miss costs", rule.miss_cost), ("an extra costs", rule.extra_cost))
        listed += [f"{what} {factor:g} times" for what, factor in own if factor != 1]
        yield f"  {rule.name}: {'; '.join(listed) or 'no attributes'}"
    yield from _overall(rubric)


def _overall(rubric: Rubric) -> Iterator[str]:
    quality, completeness = (100 * share for share in rubric.weights.of_overall)
    yield from ("", "OVERALL", "  quality = mean score of all pairs, 0 if there is none")
    harder = "extras cost more than misses" if rubric.beta < 1 else "misses cost more than extras"
    harder = "misses and extras cost alike" if rubric.beta == 1 else harder
    yield f"  completeness = F-beta of matched, missed and extra, beta {rubric.beta:g}: {harder}"
    costs = (("a miss", rubric.miss_cost), ("an extra", rubric.extra_cost), ("a duplicate", rubric.duplicate_cost))
    changed = [f"{what} {cost:g} times" for what, cost in costs if cost != 1]
    if changed:
        yield f"  what these cost is changed: {', '.join(changed)} as much"
    yield f"  score = {quality:.4g} % quality + {completeness:.4g} % completeness"
    if rubric.pass_mark is not None:
        yield f"  a submission passes with {rubric.pass_mark:g} points"
