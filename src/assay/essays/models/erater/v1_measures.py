"""The features of e-rater v.1.3: some fifty counts and rates of one essay, and two that need scored essays.

Source: Burstein et al. (1998), Automated scoring using a hybrid feature identification technique. They count
complement, subordinate, infinitive and relative clauses and the modal auxiliaries, in all and per sentence, from
phrase-structure trees; we read the relations of the parser. Participle and coordinate clauses, passives and complex
sentences are ours. They gather the cue words of the linguistic literature in classes such as parallel, contrast,
inference, evidence, detail, summary and belief; their list was never printed, and v1_cues.tsv is our own. An argument
begins where a paragraph does, and at a sentence that opens with the cue of a new step ("Firstly", "In conclusion", "I
believe"). Their rules were never printed in full; these are ours, and read plain text, so that a model can compare
arguments without a parser.

The two that need scored essays are topical: the words of the essay, and those of each of its arguments.

Burstein et al. (1998): *EssayContent* is the score point whose training essays use the words most like those of the
essay; *ArgContent* takes that score point for each argument by itself and adjusts the mean for their number:

    ArgContent = (sum of the arguments' score points + n) / (n + 1), n the number of arguments
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.content import ContentModel, content_words
from assay.essays.features.features import Analysis
from assay.essays.integrity.detectors import text_advisories
from assay.essays.models.arrays import Floats
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.text.text import Essay, Text
from assay.essays.text.text_cleanup import SENTENCE_END, paragraph_spans

Arguments = Sequence[Mapping[str, int]]
"""The words of each argument of an essay."""
TOPICAL = ("essay_content", "argument_content")
LONG = 7
"""Letters of a long word."""
FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
VERBS = FINITE | {"VB", "VBG", "VBN"}
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
HYPOTHETICAL = frozenset({"would", "could", "should", "might", "may", "'d"})
"""The modals of supposition and advice, which Burstein et al. name as marks of argument."""
DEPENDENT = tuple(f"{kind}_clauses" for kind in ("complement", "subordinate", "infinitive", "relative", "participle"))
OTHER_KINDS = ("coordinate_clauses", "modal_verbs", "hypothetical_modals", "passive_verbs", "complex_sentences")
KINDS = (*DEPENDENT, *OTHER_KINDS)
CLAUSE_OF: Mapping[str, str] = {
    **dict.fromkeys(("ccomp", "csubj", "csubjpass"), "complement_clauses"),
    **dict.fromkeys(("pcomp", "acl"), "participle_clauses"),
    **{"advcl": "subordinate_clauses", "relcl": "relative_clauses"},
}
"""The relation of a clause's verb to its head -> the kind of the clause; one with "to" is an infinitive clause."""

_LINES = files("assay.essays.models.erater").joinpath("v1_cues.tsv").read_text(encoding="utf-8").splitlines()
CUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {kind: tuple(phrases.split(", ")) for kind, phrases in (line.split("\t") for line in _LINES)}
)
"""Class of words that tell how an argument moves -> its words and phrases, in lower case."""
OPENING = ("parallel", "summary", "belief", "certainty")
"""Classes that begin a new argument when a sentence opens with them. Source: Burstein et al. (1998), where a parallel
word, a summary word or a claim begins one."""
OPENS_WITHIN = 2
"""The cue may follow another word: "And finally", "But I believe"."""
SUPPORT = ("evidence", "detail")

_PHRASES = [(tuple(phrase.split()), kind) for kind, phrases in CUES.items() for phrase in phrases]
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _entry in sorted(_PHRASES, key=lambda entry: -len(entry[0])):
    _BY_FIRST.setdefault(_entry[0][0], []).append(_entry)


def cues_in(words: Sequence[str]) -> list[tuple[int, str, str]]:
    """Place, class and wording of every cue among words in lower case; the longest phrase at a place counts.

    >>> cues_in("for example , it may rain because of it".split())
    [(0, 'detail', 'for example'), (6, 'evidence', 'because')]
    """
    cues = []
    place = 0
    while place < len(words):
        for phrase, kind in _BY_FIRST.get(words[place], ()):
            if tuple(words[place : place + len(phrase)]) == phrase:
                cues.append((place, kind, " ".join(phrase)))
                place += len(phrase) - 1
                break
        place += 1
    return cues


def count_clauses(text: Text) -> dict[str, int]:
    """How often each of `KINDS` occurs in the essay."""
    counts: Counter[str] = Counter()
    with_subject = {int(text.heads[i]) for i, dep in enumerate(text.deps) if dep in SUBJECTS}
    infinitives = {int(text.heads[i]) for i, tag in enumerate(text.tags) if tag == "TO" and text.deps[i] == "aux"}
    for sentence in text.sentences():
        before = sum(counts[kind] for kind in DEPENDENT)
        for i in sentence:
            dep, tag = text.deps[i], text.tags[i]
            counts["modal_verbs"] += tag == "MD"
            counts["hypothetical_modals"] += tag == "MD" and text.words[i].lower() in HYPOTHETICAL
            counts["passive_verbs"] += dep == "auxpass"
            if i in infinitives:
                counts["infinitive_clauses"] += 1
            elif dep in CLAUSE_OF:
                counts[CLAUSE_OF[dep]] += 1
            elif dep == "conj" and tag in VERBS and i in with_subject:
                counts["coordinate_clauses"] += 1
        counts["complex_sentences"] += sum(counts[kind] for kind in DEPENDENT) > before
    return {kind: counts[kind] for kind in KINDS}


@dataclass(frozen=True, slots=True)
class ArgumentPartition:
    """The arguments of an essay in order, and the cues met on the way."""

    contents: tuple[Mapping[str, int], ...]
    """The content words of each argument and how often they occur."""
    words: tuple[int, ...]
    """Words in each argument."""
    supported: int
    """Arguments that name a reason or an example."""
    cues: Mapping[str, int]
    """Class of cue -> occurrences."""
    distinct_cues: int
    opening_cues: int
    """Sentences that open with a cue of any class."""


def partition(raw: str) -> ArgumentPartition:
    """The arguments of an essay; none for an essay without words.

    >>> partition("Cars are loud. First, they wake us. For example, at night.").words
    (3, 8)
    """
    arguments: list[list[str]] = []
    supported: set[int] = set()
    cues: Counter[str] = Counter()
    wordings: set[str] = set()
    opening = 0
    for start, end in paragraph_spans(raw):
        sentences = [
            words
            for sentence in SENTENCE_END.split(raw[start:end])
            if (words := prompt_vocabulary.WORDS.findall(sentence))
        ]
        for number, words in enumerate(sentences):
            matches = cues_in([word.lower() for word in words])
            starts = {kind for place, kind, _ in matches if place < OPENS_WITHIN}
            if number == 0 or starts & set(OPENING):
                arguments.append([])
            arguments[-1].extend(words)
            if any(kind in SUPPORT for _, kind, _ in matches):
                supported.add(len(arguments))
            cues.update(kind for _, kind, _ in matches)
            wordings.update(wording for _, _, wording in matches)
            opening += bool(starts)
    contents = tuple(map(content_words, arguments))
    return ArgumentPartition(contents, tuple(map(len, arguments)), len(supported), cues, len(wordings), opening)


def measure_v1(essay: Analysis) -> dict[str, float]:
    """The `NAMES` of an essay by itself; counts and rates of an essay without words are all 0."""
    words, types, sentences = len(essay.words), len(essay.word_counts), essay.text.sentence_count
    letters = sum(sum(c.isalnum() for c in word) for word in essay.words)
    long = sum(len(word) >= LONG for word in essay.words)
    rates = (_per(words, sentences), types, _per(types, words), _per(letters, words), long, _per(long, words))
    counts = count_clauses(essay.text)
    clauses = sum(counts[kind] for kind in KINDS if kind.endswith("_clauses")) + sentences
    syntax = (clauses, *(counts[kind] for kind in KINDS))
    parts = partition(essay.text.raw)
    cues, lengths = sum(parts.cues.values()), parts.words
    values = (
        *(words, sentences, essay.text.paragraph_count, *rates),
        *(*syntax, *(_per(count, sentences) for count in syntax)),
        *(parts.cues.get(kind, 0) for kind in CUES),
        *(cues, parts.distinct_cues, _per(cues, sentences), parts.opening_cues),
        *(len(lengths), parts.supported, _per(sum(lengths), len(lengths)), max(lengths, default=0)),
    )
    return dict(zip(NAMES, map(float, values), strict=True))


def _per(count: float, whole: float) -> float:
    return count / whole if whole else 0.0


NAMES: tuple[str, ...] = (
    *("words", "sentences", "paragraphs", "words_per_sentence", "types", "types_per_word", "letters_per_word"),
    *("long_words", "long_words_per_word", "clauses", *KINDS),
    *("clauses_per_sentence", *(f"{kind}_per_sentence" for kind in KINDS), *(f"{kind}_cues" for kind in CUES)),
    *("cues", "distinct_cues", "cues_per_sentence", "opening_cues"),
    *("arguments", "supported_arguments", "words_per_argument", "longest_argument"),
)
"""The keys of `measure_v1`, in order."""


def topical_of(arguments: Sequence[Arguments], model: ContentModel) -> Floats:
    """(essays, 2): EssayContent and ArgContent of essays that are not among the training essays."""
    values = np.full((len(arguments), len(TOPICAL)), np.nan)
    for row, own in enumerate(arguments):
        points = [model.similarity(argument).max_cos() for argument in own]
        known = [point for point in points if not np.isnan(point)]
        values[row, 0] = model.similarity(sum(map(Counter, own), Counter())).max_cos()
        if known:
            values[row, 1] = (sum(known) + len(known)) / (len(known) + 1)
    return values


def topical_out_of_fold(arguments: Sequence[Arguments], scores: Floats) -> Floats:
    """(essays, 2): the same for training essays, each compared with those of the other folds only."""
    values = np.full((len(arguments), len(TOPICAL)), np.nan)
    fold = prompt_vocabulary.dealt_folds(scores, prompt_vocabulary.INNER_FOLDS)
    for number in range(min(prompt_vocabulary.INNER_FOLDS, len(arguments))):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        model = content_of([arguments[row] for row in outside.tolist()], scores[outside])
        values[inside] = topical_of([arguments[row] for row in inside.tolist()], model)
    return values


def content_of(arguments: Sequence[Arguments], scores: Floats) -> ContentModel:
    """The content vectors of one prompt by score point, from the words of its training essays."""
    return prompt_vocabulary.content_vectors(
        [sum(map(Counter, own), Counter()) for own in arguments], scores, prompt_vocabulary.PAPER_VOCABULARY
    )


def v1_table(essay: Essay, analysis: Analysis) -> EssayFeatures:
    """What v.1.3 sees in an essay that is to be scored."""
    row = {"length": float(len(analysis.words)), **measure_v1(analysis)}
    doubts = text_advisories(analysis.text, analysis.words, prompt=essay.prompt)
    table = EssayFeatures.of([essay], [row], advisories=[doubts], names=("length", *NAMES))
    return replace(table, arguments=(partition(essay.text).contents,))


def v1_training_values(table: EssayFeatures, resolved: Floats) -> tuple[Floats, dict[str, ContentModel]]:
    """(essays, V1_FEATURES) of training essays, none compared with itself, and the content vectors of each prompt."""
    topical, content = np.full((len(table), len(TOPICAL)), np.nan), {}
    for prompt, rows, own in _by_prompt(table):
        topical[rows] = topical_out_of_fold(own, resolved[rows])
        content[prompt] = content_of(own, resolved[rows])
    return np.hstack([table.columns(NAMES), topical]), content


def with_topical(table: EssayFeatures, content: Mapping[str, ContentModel]) -> EssayFeatures:
    """The table with EssayContent and ArgContent of essays to be scored; NaN for a prompt that is not known."""
    topical = np.full((len(table), len(TOPICAL)), np.nan)
    for prompt, rows, own in _by_prompt(table):
        if prompt in content:
            topical[rows] = topical_of(own, content[prompt])
    return replace(table, names=(*table.names, *TOPICAL), values=np.hstack([table.values, topical]))


def _by_prompt(table: EssayFeatures) -> Iterator[tuple[str, NDArray[np.intp], list[Arguments]]]:
    """Each prompt with the rows and the arguments of its essays; InputError where arguments were not measured."""
    if len(table.arguments) != len(table):
        problem = "these features were measured without those of v.1.3"
        remedy = ("Name a file for ", Field("features"), " that is not there yet, or leave it out.")
        raise InputError(problem, field="features", remedy=remedy)
    for prompt in sorted(set(table.prompts)):
        rows = np.flatnonzero(np.array(table.prompts) == prompt)
        yield prompt, rows, [table.arguments[row] for row in rows.tolist()]
