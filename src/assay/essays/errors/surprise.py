"""Places and sentences that the trigram model does not expect, and the small change it would expect instead."""

from collections.abc import Container

from assay.essays.errors.language_model import BOUNDARY, TrigramModel, symbol, trigram_model
from assay.essays.errors.reading import RuleContext


def symbols_of(r: RuleContext, first: int, end: int, model: TrigramModel) -> list[int]:
    """The sentence as places in the model's list of symbols, two boundaries in front."""
    unknown, boundary = model.symbols.get("XX", 0), model.symbols[BOUNDARY]
    row = [model.symbols.get(symbol(r.lower[i], r.tags[i]), unknown) for i in range(first, end)]
    return [boundary, boundary, *row]


def sentence_surprise(r: RuleContext, wanted: Container[int]) -> list[float]:
    """Mean of -log10 p over the tokens of each sentence that is wanted, 0 for the others."""
    model = trigram_model()
    surprises = []
    for s, (first, end) in enumerate(zip(r.bounds, r.bounds[1:], strict=False)):
        if s not in wanted:
            surprises.append(0.0)
            continue
        row = symbols_of(r, first, end, model)
        surprises.append(-model.score(row, 2, len(row)) / (end - first))
    return surprises
