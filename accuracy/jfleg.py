"""JFLEG's tokenised sentences as people write them, with the place of every token kept."""

from collections.abc import Sequence

CLOSING = frozenset([",", ".", "!", "?", ";", ":", ")", "]", "n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "'", "%"])
OPENING = frozenset(["(", "[", "$"])


def written(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The sentence with blanks where English has them, and the character span of each token.

    >>> written("I do n't know , he said .".split())[0]
    "I don't know, he said."
    """
    sentence, spans, glued, quoted = "", [], True, False
    for token in tokens:
        quote = token in ('"', "``", "''")
        closes = token.lower() in CLOSING or (quote and quoted)
        word = '"' if quote else token
        sentence += "" if glued or closes else " "
        spans.append((len(sentence), len(sentence) + len(word)))
        sentence += word
        glued = token in OPENING or (quote and not quoted)
        quoted ^= quote
    return sentence, spans
