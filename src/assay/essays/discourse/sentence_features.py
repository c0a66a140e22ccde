"""What a sentence looks like to the discourse model: a list of names, each of them present or not.

Every feature is a name such as `opens:in conclusion` or `start=0`. The model knows the weight of the names that were
frequent in training and ignores all others. Content words never become names, so that the model does not learn the
topics it was trained on: a word outside the common vocabulary is represented by its part of speech.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

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


_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_UNSAID = frozenset({",", '"', "``", "''"})

Zone = Literal["first", "last", "opener", "body"]


@dataclass(frozen=True, slots=True)
class SentencePosition:
    """The place of one sentence. Counts start at 0 and run from the start or from the end."""

    from_start: int
    from_end: int
    decile: int
    """Tenth of the essay's tokens before the sentence, 0 to 9."""
    sentences: int
    paragraph: int
    paragraph_from_end: int
    paragraphs: int
    within: int
    """Sentences before it in its paragraph."""
    within_from_end: int
    zone: Zone
    """First or last paragraph, opening sentence of a body paragraph, or another body sentence.

    An essay without paragraphs has its first and last fifth instead, and no openers.
    """


def places(text: Text) -> list[SentencePosition]:
    """The place of every sentence.

    A last sentence or paragraph may be the first one too; it then counts as the first.
    """
    paragraph_of = text.sentence_paragraph.tolist()
    n, paragraphs = len(paragraph_of), paragraph_of[-1] + 1 if paragraph_of else 0
    positions = []
    for i, (paragraph, start) in enumerate(zip(paragraph_of, text.sentence_starts.tolist(), strict=False)):
        within, share = i - bisect_right(paragraph_of, paragraph - 1), start / max(len(text), 1)
        in_first, in_last = share < 0.2, share >= 0.8
        if paragraphs > 1:
            in_first, in_last = paragraph == 0, paragraph == paragraphs - 1
        inner: Zone = "opener" if paragraphs > 1 and within == 0 else "body"
        positions.append(
            SentencePosition(
                from_start=i,
                from_end=n - 1 - i,
                decile=int(10 * share),
                sentences=n,
                paragraph=paragraph,
                paragraph_from_end=paragraphs - 1 - paragraph,
                paragraphs=paragraphs,
                within=within,
                within_from_end=bisect_right(paragraph_of, paragraph) - 1 - i,
                zone="first" if in_first else "last" if in_last else inner,
            )
        )
    return positions


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence, as the model sees them."""

    symbols: Sequence[str]
    """Common words in lower case; the part of speech of all others."""
    tags: Sequence[str]
    deps: Sequence[str]
    stems: frozenset[str]
    """First letters of the words outside the common vocabulary."""
    topic: int
    """How much of this content is among the most frequent of the essay, in fifths; 0 without content."""
    words: int
    root: int
    subject: int
    """Place of the root, and of the subject of the root (-1 if it has none), in the sentence."""
    opening: Sequence[str]
    """The first four symbols, commas and quotation marks aside."""
    marks: Sequence[str]
    """Question, exclamation, quotation, number; and a sentence that just stops."""


Names = list[list[str]]
"""The names of the features of every sentence."""


def sentence_features(text: Text, common: Collection[str]) -> Names:
    """The feature names of every sentence of an essay."""
    sentences = read_sentences(text, common)
    wording, layout = wording_features(sentences), layout_features(sentences, places(text))
    return [[*a, *b] for a, b in zip(wording, layout, strict=True)]


def read_sentences(text: Text, common: Collection[str]) -> list[Sentence]:
    lowered = [word.lower() for word in text.words]
    symbols = [word if word in common else tag for word, tag in zip(lowered, text.tags, strict=True)]
    heads = text.heads.tolist()
    spans = list(pairwise(text.sentence_starts.tolist()))
    # common words are the very same strings in both lists
    stemmed = [
        word[:STEM_LETTERS] if word is not seen and len(word) > 3 and word.isalpha() else ""
        for word, seen in zip(lowered, symbols, strict=True)
    ]
    stems_of = [frozenset(filter(None, stemmed[first:last])) for first, last in spans]
    counts = Counter(stem for stems in stems_of for stem in stems)
    # ties go by the alphabet: the order of a set changes from run to run
    topic = frozenset(sorted(counts, key=lambda stem: (-counts[stem], stem))[:TOPIC_STEMS])
    sentences = []
    for (first, last), stems in zip(spans, stems_of, strict=True):
        words, own, tags, deps = lowered[first:last], symbols[first:last], text.tags[first:last], text.deps[first:last]
        root = deps.index("ROOT") if "ROOT" in deps else 0
        subjects = (j for j, dep in enumerate(deps) if dep in _SUBJECTS and heads[first + j] == first + root)
        signs = {sign: sign in own for sign in ("?", "!", ":", ";")}
        signs |= {"quote": "``" in tags or "''" in tags, "number": "CD" in tags, "open": tags[-1] not in {".", "''"}}
        sentences.append(
            Sentence(
                symbols=own,
                tags=tags,
                deps=deps,
                stems=stems,
                topic=fifths(stems, topic) if stems else 0,
                words=sum(word[0].isalnum() for word in words),
                root=root,
                subject=next(subjects, -1),
                opening=[seen for seen in own[:6] if seen not in _UNSAID][:4],
                marks=[sign for sign, present in signs.items() if present],
            )
        )
    return sentences


def fifths(stems: frozenset[str], others: frozenset[str]) -> int:
    """The share of stems found among others, rounded to fifths.

    >>> fifths(frozenset({"uniform", "school"}), frozenset({"school"}))
    2
    """
    return round(5 * len(stems & others) / len(stems))


def wording_features(sentences: Sequence[Sentence]) -> Names:
    """What does not depend on paragraphs.

    The main verb and its subject, parts of speech and kinds of clause; the first one to four tokens; all tokens; the
    neighbours; and how much of the content is found elsewhere in the essay, in fifths.
    """
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    once = frozenset(stem for stem, count in counts.items() if count == 1)
    around = [frozenset[str](), *(sentence.stems for sentence in sentences), frozenset[str]()]
    features = []
    for i, sentence in enumerate(sentences):
        seen, tags, stems, opening = sentence.symbols, sentence.tags, sentence.stems, sentence.opening
        root, subject = seen[sentence.root], seen[sentence.subject] if sentence.subject >= 0 else "none"
        names = [f"root={root}", f"subject={subject}", f"subject={subject} root={root}"]
        names.append(f"root-tag={tags[sentence.root]}")
        names += [f"{tag}={min(tags.count(tag), 3)}" for tag in COUNTED_TAGS]
        names += [f"clause={dep}" for dep in CLAUSES if dep in sentence.deps]
        names += [f"opens:{' '.join(opening[: k + 1])}" for k in range(len(opening))]
        names += [f"has:{symbol}" for symbol in dict.fromkeys(seen)]
        names += neighbour_features("before", i - 1, sentences) + neighbour_features("after", i + 1, sentences)
        if stems:
            near = {"once": once, "previous": around[i], "next": around[i + 2]}
            names += [f"topic={sentence.topic}", *(f"{name}={fifths(stems, others)}" for name, others in near.items())]
        else:
            names.append("repeats: nothing")
        features.append(names)
    return features


def neighbour_features(side: str, j: int, sentences: Sequence[Sentence]) -> list[str]:
    """What stands before or after: its first two words, length and signs."""
    if not 0 <= j < len(sentences):
        return [f"{side}: none"]
    other = sentences[j]
    names = [f"{side}: length={bisect_right(NEIGHBOUR_CUTS, other.words)}"]
    if len(other.opening) > 1:
        names.append(f"{side}: {other.opening[0]} {other.opening[1]}")
    return names + [f"{side}: sign={sign}" for sign in other.marks]


def layout_features(sentences: Sequence[Sentence], outline: Sequence[SentencePosition]) -> Names:
    """What depends on paragraphs: the place, and what is seen in its light.

    Length and punctuation; how much of the content the first and the last part of the essay have, in fifths; the first
    words of the neighbours, and whether a paragraph break lies between.
    """
    first, last = frozenset[str](), frozenset[str]()
    for sentence, place in zip(sentences, outline, strict=True):
        leads, closes = place.decile < 2, place.decile > 7
        if place.paragraphs > 1:
            leads, closes = place.paragraph == 0, place.paragraph_from_end == 0
        first |= sentence.stems if leads else frozenset()
        last |= sentence.stems if closes else frozenset()
    features = []
    for i, (sentence, place) in enumerate(zip(sentences, outline, strict=True)):
        length, stems, zone = bisect_right(WORD_CUTS, sentence.words), sentence.stems, place.zone
        names = position_features(place)
        names += [f"words={length}", f"words={length} {zone}", f"commas={min(sentence.symbols.count(','), 4)}"]
        for sign in sentence.marks:
            names += [f"sign={sign}", f"sign={sign} {zone}"]
        if stems:
            opens, ends = f"first={fifths(stems, first)}", f"last={fifths(stems, last)}"
            names += [opens, ends, f"{opens} {zone}", f"{ends} {zone}", f"topic={sentence.topic} {zone}"]
        for side, j in (("before", i - 1), ("after", i + 1)):
            if 0 <= j < len(sentences):
                together = "same" if outline[j].paragraph == place.paragraph else "break"
                names.append(f"{side}: {together} | {' '.join(sentences[j].opening[:1])}")
        features.append(names)
    return features


def position_features(place: SentencePosition) -> list[str]:
    """Place in the essay and, where there are paragraphs, in the paragraph."""
    start, end = min(place.from_start, 6), min(place.from_end, 6)
    size = bisect_right(SIZE_CUTS, place.sentences)
    names = ["bias", f"start={start}", f"end={end}", f"start={start} size={size}", f"end={end} size={size}"]
    names += [f"decile={place.decile}", f"sentences={bisect_right(SENTENCE_CUTS, place.sentences)}"]
    if place.paragraphs <= 1:
        return [*names, "flat", f"flat start={start}", f"flat end={end}", f"flat decile={place.decile}"]
    p, q, count = min(place.paragraph, 3), min(place.paragraph_from_end, 2), min(place.paragraphs, 6)
    a, b = min(place.within, 4), min(place.within_from_end, 3)
    paragraph_size = place.within + place.within_from_end + 1
    names += [f"par={p}", f"par-end={q}", f"in={a}", f"in-end={b}", f"pars={count}", f"par={p} in={a}"]
    names += [f"par-end={q} in={a}", f"par={p} in={a} pars={count}", f"par-end={q} in={a} pars={count}"]
    names.append(f"par-size={bisect_right(PARAGRAPH_CUTS, paragraph_size)} in={a}")
    return [*names, f"par={p == 0} {q == 0} in={a == 0} {b == 0}"]
