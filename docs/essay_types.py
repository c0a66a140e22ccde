"""The tables of docs/reference/essays.md that the code knows best: error types, features, labels, advisories, norms.

python docs/essay_types.py            write them into the page
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from assay.essays.discourse.model import LABELS
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.errors.merge import DEFAULT
from assay.essays.features.features import FEATURES
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES
from assay.essays.feedback.norms import reference_norms
from assay.essays.integrity.consequences import CONSEQUENCES

PAGE = Path(__file__).resolve().parent / "reference" / "essays.md"
_TABLE = re.compile(r"(<!-- (\w+), made by docs/essay_types.py -->\n).*?(<!-- end -->)", re.DOTALL)

LABEL_MEANINGS = {
    "background": "leads to the subject",
    "thesis": "says what the writer thinks",
    "main point": "a reason, a claim, an objection or the answer to one",
    "supporting idea": "evidence, an example, an explanation",
    "conclusion": "draws the essay together",
    "other": "none of these",
}


def error_types() -> Iterator[str]:
    yield "| name | category | shown as | what the writer is told | right when read by hand | on |"
    yield "|---|---|---|---|---|---|"
    for kind in CATALOGUE.values():
        right = f"{kind.right} of {kind.judged}" if kind.judged else "not measured"
        on = "yes" if kind.name in DEFAULT else "no"
        yield f"| `{kind.name}` | {kind.category} | {kind.title} | {kind.explanation} | {right} | {on} |"


def features() -> Iterator[str]:
    reference = reference_norms()
    yield "| name | what | better | typical | SD | weight | undefined when |"
    yield "|---|---|---|---|---|---|---|"
    for feature in FEATURES.values():
        norm = reference.norms.get(feature.name)
        typical = f"{norm.mean:.4g} | {norm.sd:.4g}" if norm else "depends on the prompt |"
        weight = reference.weights[feature.name]
        yield f"| `{feature.name}` | {feature.title} | {feature.better} | {typical} | {weight} | {feature.undefined} |"


def labels() -> Iterator[str]:
    yield "| label | what the sentences do |"
    yield "|---|---|"
    yield from (f"| {label} | {LABEL_MEANINGS[label]} |" for label in LABELS)


def advisories() -> Iterator[str]:
    yield "| name | shown as | consequence | what the writer is told to do |"
    yield "|---|---|---|---|"
    yield from (f"| `{name}` | {title} | {CONSEQUENCES[name]} | {REMEDIES[name]} |" for name, title in TITLES.items())


TABLES: Mapping[str, Callable[[], Iterator[str]]] = {
    "error_types": error_types,
    "features": features,
    "labels": labels,
    "advisories": advisories,
}


def with_current_tables(page: str) -> str:
    """The page with the tables of today between their markers."""
    return _TABLE.sub(lambda m: m[1] + "\n" + "\n".join(TABLES[m[2]]()) + "\n\n" + m[3], page)


if __name__ == "__main__":
    PAGE.write_text(with_current_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
