"""Clauses and verbs of an essay, counted from its dependency parse: the syntactic features of e-rater v.1.3.

Burstein et al. (1998), Automated scoring using a hybrid feature identification technique, count complement,
subordinate, infinitive and relative clauses and the modal auxiliaries, in all and per sentence. They read
phrase-structure trees; we read the relations of the parser. Participle and coordinate clauses, passives and complex
sentences are ours.
"""

from collections import Counter
from collections.abc import Mapping

from assay.essays.text.text import Text

FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
VERBS = FINITE | {"VB", "VBG", "VBN"}
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
HYPOTHETICAL = frozenset({"would", "could", "should", "might", "may", "'d"})
"""The modals of supposition and advice, which Burstein et al. name as marks of argument."""

KINDS = (
    "complement_clauses",
    "subordinate_clauses",
    "infinitive_clauses",
    "relative_clauses",
    "participle_clauses",
    "coordinate_clauses",
    "modal_verbs",
    "hypothetical_modals",
    "passive_verbs",
    "complex_sentences",
)
DEPENDENT = KINDS[:5]


def count_clauses(text: Text) -> dict[str, int]:
    """How often each of `KINDS` occurs in the essay."""
    found: Counter[str] = Counter()
    with_subject = {int(text.heads[i]) for i, dep in enumerate(text.deps) if dep in SUBJECTS}
    infinitives = {int(text.heads[i]) for i, tag in enumerate(text.tags) if tag == "TO" and text.deps[i] == "aux"}
    for sentence in text.sentences():
        before = sum(found[kind] for kind in DEPENDENT)
        for i in sentence:
            found.update(_kinds(text, i, with_subject, infinitives))
        found["complex_sentences"] += sum(found[kind] for kind in DEPENDENT) > before
    return {kind: found[kind] for kind in KINDS}


def _kinds(text: Text, i: int, with_subject: set[int], infinitives: set[int]) -> list[str]:
    """What token i counts as."""
    kinds = []
    if text.tags[i] == "MD":
        kinds.append("modal_verbs")
        if text.words[i].lower() in HYPOTHETICAL:
            kinds.append("hypothetical_modals")
    if text.deps[i] == "auxpass":
        kinds.append("passive_verbs")
    if i in infinitives:
        return [*kinds, "infinitive_clauses"]
    clause = CLAUSE_OF.get(text.deps[i])
    if clause is not None:
        return [*kinds, clause]
    if text.deps[i] == "conj" and text.tags[i] in VERBS and i in with_subject:
        kinds.append("coordinate_clauses")
    return kinds


CLAUSE_OF: Mapping[str, str] = {
    "ccomp": "complement_clauses",
    "csubj": "complement_clauses",
    "csubjpass": "complement_clauses",
    "pcomp": "participle_clauses",
    "acl": "participle_clauses",
    "advcl": "subordinate_clauses",
    "relcl": "relative_clauses",
}
"""The relation of a clause's verb to its head -> the kind of the clause; one with "to" is an infinitive clause."""
