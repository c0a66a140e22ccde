"""What a sentence looks like to the discourse model: a list of names, each of them present or not.

Every feature is a name such as `opens:in conclusion` or `start=0`. The model knows the weight of the names that were
frequent in training and ignores all others. Content words never become names, so that the model does not learn the
topics it was trained on: a word outside the common vocabulary is represented by its part of speech.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assay.essays.discourse.positions import SentencePosition, places
from assay.essays.text.text import Text

WORD_CUTS = (4, 8, 12, 16, 21, 27, 35, 50)
NEIGHBOUR_CUTS = (6, 12, 20, 30)
SENTENCE_CUTS = (3, 6, 9, 13, 18, 25, 35)
SIZE_CUTS = (6, 13, 25)
PARAGRAPH_CUTS = (1, 2, 3, 5, 8)
STEM_LETTERS = 5
TOPIC_STEMS = 6
COUNTED_TAGS = ("VBD", "MD", "PRP", "NNP", "VBG", "IN", "CC", "JJR", "RB")
CLAUSES = ("advcl", "ccomp", "relcl", "mark", "csubj", "expl", "neg", "agent", "pcomp", "parataxis")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence, in the form the model sees them."""

    forms: Sequence[str]
    """Common words in lower case; the part of speech of all others."""
    tags: Sequence[str]
    deps: Sequence[str]
    stems: frozenset[str]
    """First letters of the words outside the common vocabulary."""
    words: int
    root: int
    subject: int
    """Place of the root, and of the subject of the root (-1 if it has none), in the sentence."""
    opening: Sequence[str]
    """The first four forms, commas and quotation marks aside."""
    marks: Sequence[str]
    """Question, exclamation, quotation, number; and a sentence that just stops."""


Names = list[list[str]]
"""The names of the features of every sentence."""


def sentence_features(text: Text, common: Collection[str]) -> Names:
    """The feature names of every sentence of an essay."""
    sentences = read_sentences(text, common)
    topic = topic_shares(sentences)
    wording, layout = wording_features(sentences, topic), layout_features(sentences, places(text), topic)
    return [[*a, *b] for a, b in zip(wording, layout, strict=True)]


def wording_features(sentences: Sequence[Sentence], topic: Sequence[int]) -> Names:
    """What does not depend on paragraphs; `topic` is that of `topic_shares`."""
    found = []
    echoes = repetition(sentences, topic)
    for i, sentence in enumerate(sentences):
        names = [*syntax(sentence), *openings(sentence), *(f"has:{form}" for form in dict.fromkeys(sentence.forms))]
        names += neighbour("before", i - 1, sentences) + neighbour("after", i + 1, sentences)
        found.append(names + next(echoes))
    return found


def layout_features(sentences: Sequence[Sentence], outline: Sequence[SentencePosition], topic: Sequence[int]) -> Names:
    """What depends on paragraphs: the place, and what is seen in its light."""
    echoes = framing(sentences, outline, topic)
    return [
        [*position(outline[i]), *surface(sentence, outline[i]), *next(echoes), *borders(i, sentences, outline)]
        for i, sentence in enumerate(sentences)
    ]


def read_sentences(text: Text, common: Collection[str]) -> list[Sentence]:
    lowered = [word.lower() for word in text.words]
    forms = [word if word in common else tag for word, tag in zip(lowered, text.tags, strict=True)]
    heads = text.heads.tolist()
    found = []
    for tokens in text.sentences():
        first, last = tokens.start, tokens.stop
        deps, own, tags = text.deps[first:last], forms[first:last], text.tags[first:last]
        root = deps.index("ROOT") if "ROOT" in deps else 0
        stems = [
            word[:STEM_LETTERS]
            for word, form in zip(lowered[first:last], own, strict=True)
            if word is not form and len(word) > 3 and word.isalpha()
        ]
        subjects = (j for j, dep in enumerate(deps) if dep in _SUBJECTS and heads[first + j] == first + root)
        found.append(
            Sentence(
                forms=own,
                tags=tags,
                deps=deps,
                stems=frozenset(stems),
                words=sum(word[0].isalnum() for word in lowered[first:last]),
                root=root,
                subject=next(subjects, -1),
                opening=[form for form in own[:6] if form not in _UNSAID][:4],
                marks=marks(own, tags),
            )
        )
    return found


_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_UNSAID = frozenset({",", '"', "``", "''"})


def position(place: SentencePosition) -> list[str]:
    """Place in the essay and, where there are paragraphs, in the paragraph."""
    start, end = min(place.from_start, 6), min(place.from_end, 6)
    size = bisect_right(SIZE_CUTS, place.sentences)
    names = [
        "bias",
        f"start={start}",
        f"end={end}",
        f"start={start} size={size}",
        f"end={end} size={size}",
        f"decile={place.decile}",
        f"sentences={bisect_right(SENTENCE_CUTS, place.sentences)}",
    ]
    if not place.has_paragraphs:
        return [*names, "flat", f"flat start={start}", f"flat end={end}", f"flat decile={place.decile}"]
    return names + paragraph_position(place)


def paragraph_position(place: SentencePosition) -> list[str]:
    p, q, count = min(place.paragraph, 3), min(place.paragraph_from_end, 2), min(place.paragraphs, 6)
    a, b = min(place.within, 4), min(place.within_from_end, 3)
    size = bisect_right(PARAGRAPH_CUTS, place.paragraph_size)
    return [
        f"par={p}",
        f"par-end={q}",
        f"in={a}",
        f"in-end={b}",
        f"pars={count}",
        f"par={p} in={a}",
        f"par-end={q} in={a}",
        f"par={p} in={a} pars={count}",
        f"par-end={q} in={a} pars={count}",
        f"par-size={size} in={a}",
        f"par={p == 0} {q == 0} in={a == 0} {b == 0}",
    ]


def surface(sentence: Sentence, place: SentencePosition) -> list[str]:
    """Length and punctuation."""
    length, zone = bisect_right(WORD_CUTS, sentence.words), place.zone
    names = [f"words={length}", f"words={length} {zone}", f"commas={min(sentence.forms.count(','), 4)}"]
    for sign in sentence.marks:
        names += [f"sign={sign}", f"sign={sign} {zone}"]
    return names


def marks(forms: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Question, exclamation, quotation, number; and a sentence that just stops."""
    found = [sign for sign in ("?", "!", ":", ";") if sign in forms]
    if "``" in tags or "''" in tags:
        found.append("quote")
    if "CD" in tags:
        found.append("number")
    if tags[-1] not in {".", "''"}:
        found.append("open")
    return found


def syntax(sentence: Sentence) -> list[str]:
    """The main verb and its subject, parts of speech and kinds of clause."""
    root = sentence.forms[sentence.root]
    subject = sentence.forms[sentence.subject] if sentence.subject >= 0 else "none"
    names = [f"root={root}", f"subject={subject}", f"subject={subject} root={root}"]
    names.append(f"root-tag={sentence.tags[sentence.root]}")
    names += [f"{tag}={min(sentence.tags.count(tag), 3)}" for tag in COUNTED_TAGS]
    names += [f"clause={dep}" for dep in CLAUSES if dep in sentence.deps]
    return names


def openings(sentence: Sentence) -> list[str]:
    """The first one to four tokens."""
    opening = sentence.opening
    return [f"opens:{' '.join(opening[: k + 1])}" for k in range(len(opening))]


def neighbour(side: str, j: int, sentences: Sequence[Sentence]) -> list[str]:
    """What stands before or after: its first two words, length and signs."""
    if not 0 <= j < len(sentences):
        return [f"{side}: none"]
    other = sentences[j]
    names = [f"{side}: length={bisect_right(NEIGHBOUR_CUTS, other.words)}"]
    if len(other.opening) > 1:
        names.append(f"{side}: {other.opening[0]} {other.opening[1]}")
    return names + [f"{side}: sign={sign}" for sign in other.marks]


def borders(i: int, sentences: Sequence[Sentence], outline: Sequence[SentencePosition]) -> list[str]:
    """The first words of the neighbours, and whether a paragraph break lies between."""
    names = []
    for side, j in (("before", i - 1), ("after", i + 1)):
        if 0 <= j < len(sentences):
            together = "same" if outline[j].paragraph == outline[i].paragraph else "break"
            names.append(f"{side}: {together} | {' '.join(sentences[j].opening[:1])}")
    return names


def topic_shares(sentences: Sequence[Sentence]) -> list[int]:
    """How much of each sentence's content is among the most frequent of the essay, in fifths; 0 without content."""
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    # ties go by the alphabet: the order of a set changes from run to run
    topic = frozenset(sorted(counts, key=lambda stem: (-counts[stem], stem))[:TOPIC_STEMS])
    return [fifths(sentence.stems, topic) if sentence.stems else 0 for sentence in sentences]


def repetition(sentences: Sequence[Sentence], topic: Sequence[int]) -> Iterator[list[str]]:
    """How much of the sentence's content is found elsewhere in the essay, in fifths."""
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    once = frozenset(stem for stem, count in counts.items() if count == 1)
    around = [frozenset[str](), *(sentence.stems for sentence in sentences), frozenset[str]()]
    for i, sentence in enumerate(sentences):
        stems = sentence.stems
        if not stems:
            yield ["repeats: nothing"]
            continue
        near = {"once": once, "previous": around[i], "next": around[i + 2]}
        yield [f"topic={topic[i]}", *(f"{name}={fifths(stems, others)}" for name, others in near.items())]


def framing(
    sentences: Sequence[Sentence], outline: Sequence[SentencePosition], topic: Sequence[int]
) -> Iterator[list[str]]:
    """How much of the sentence's content the first and the last part of the essay have, in fifths."""
    first = _stems_where(sentences, [_is_lead(place) for place in outline])
    last = _stems_where(sentences, [_is_tail(place) for place in outline])
    for sentence, place, share in zip(sentences, outline, topic, strict=True):
        stems, zone = sentence.stems, place.zone
        if not stems:
            yield []
            continue
        opens, ends = f"first={fifths(stems, first)}", f"last={fifths(stems, last)}"
        yield [opens, ends, f"{opens} {zone}", f"{ends} {zone}", f"topic={share} {zone}"]


def _is_lead(place: SentencePosition) -> bool:
    return place.paragraph == 0 if place.has_paragraphs else place.decile < 2


def _is_tail(place: SentencePosition) -> bool:
    return place.paragraph_from_end == 0 if place.has_paragraphs else place.decile > 7


def _stems_where(sentences: Sequence[Sentence], chosen: Sequence[bool]) -> frozenset[str]:
    return frozenset[str]().union(*(s.stems for s, inside in zip(sentences, chosen, strict=True) if inside))


def fifths(stems: frozenset[str], others: frozenset[str]) -> int:
    """The share of stems found among others, rounded to fifths.

    >>> fifths(frozenset({"uniform", "school"}), frozenset({"school"}))
    2
    """
    return round(5 * len(stems & others) / len(stems))
