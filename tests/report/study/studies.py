"""Two studies, rich and bare, that the tests of their reports share."""

from dataclasses import replace
from functools import cache

from assay.essays.study.study import Study, study_essays
from tests.essays.study.corpora import made_corpus


@cache
def full() -> Study:
    """A corpus with everything a study can ask for."""
    return study_essays(made_corpus())


@cache
def bare() -> Study:
    """One prompt, one rating, nobody knows who wrote what."""
    corpus = made_corpus(prompts={"cars": "grade 8"}, second=False, candidates=False, per_prompt=45)
    return study_essays(replace(corpus, v1_values=None, arguments=(), table=replace(corpus.table, programs=())))
