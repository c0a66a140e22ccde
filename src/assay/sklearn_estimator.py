"""`EssayScorer`: essay models as a scikit-learn estimator, so that its folds and searches work on them.

Texts are the input, so scikit-learn's checks apply as far as they need no numeric matrix: construction, parameters,
cloning, tags, repr. Its tags tell `check_estimator` to leave out what it asks of numeric estimators.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from assay.errors import InputError

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from assay.essays.models.scoring_model import ScoringModel

Floats = NDArray[np.float64]


class EssayScorer(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn carries no types
    """A score model with `fit` and `predict`.

    Parameters
    ----------
    kind
        specific, generic12, generic10, v1 or hybrid, as in `assay.train`.
    scale
        Scale of the scores, as "1-6"; observed without it.
    length_weight
        Share of essay length in all weights, 0 to 1; None lets the essays decide.
    cutoffs
        The rule that turns raw scores into points.
    raw
        Whether `predict` gives raw scores, which lie between the points of the scale.
    workers
        Processes that read essays; None takes all cores.

    Attributes
    ----------
    model_ : ScoringModel
        The model that `fit` built.

    Examples
    --------
    >>> EssayScorer(kind="hybrid", scale="1-6")
    EssayScorer(kind='hybrid', scale='1-6')
    """

    def __init__(
        self,
        kind: str = "generic10",
        *,
        scale: str | None = None,
        length_weight: float | None = 0.2,
        cutoffs: str = "balanced",
        raw: bool = False,
        workers: int | None = 1,
    ) -> None:
        self.kind = kind
        self.scale = scale
        self.length_weight = length_weight
        self.cutoffs = cutoffs
        self.raw = raw
        self.workers = workers

    def fit(self, X: Sequence[str], y: ArrayLike, prompts: Sequence[str] | None = None) -> Self:
        """Build a model from texts and their human scores; `prompts` name the prompt of each."""
        from assay.execution.executor import open_executor  # noqa: PLC0415 - importing the estimator stays cheap
        from assay.workflows.essays.train import train  # noqa: PLC0415

        table = {"text": _texts(X), "score": np.asarray(y, dtype=float).tolist(), "prompt": _prompts(X, prompts)}
        if len(table["score"]) != len(table["text"]):
            problem = f"there are {len(table['score'])} scores for {len(table['text'])} texts"
            raise InputError(problem, field="y", remedy="Pass one for each.")
        with open_executor(self.workers) as executor:
            self.model_: ScoringModel = train(
                table,
                text="text",
                score="score",
                prompt="prompt" if prompts is not None else None,
                kind=self.kind,
                length_weight=self.length_weight,
                cutoffs=self.cutoffs,
                scale=self.scale,
                executor=executor,
            ).model
        return self

    def predict(self, X: Sequence[str], prompts: Sequence[str] | None = None) -> Floats:
        """The score of each text; NaN where it has none, as for a prompt that the model does not know."""
        from assay.execution.executor import open_executor  # noqa: PLC0415
        from assay.workflows.essays.score_essays import score_essays  # noqa: PLC0415

        check_is_fitted(self)
        table = {"text": _texts(X), "prompt": _prompts(X, prompts)}
        with open_executor(self.workers) as executor:
            scores = score_essays(table, self.model_, text="text", prompt="prompt", executor=executor)
        return np.array([score.raw if self.raw else score.score for score in scores], dtype=np.float64)

    def __sklearn_tags__(self) -> "Tags":
        tags: Any = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags


def _texts(X: Sequence[str]) -> list[str]:
    texts = list(np.asarray(X, dtype=object).ravel()) if not isinstance(X, list) else X
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            problem = f"entry {place} is of type {type(text).__name__}, not a text"
            raise InputError(problem, field="X", remedy="Pass a list of texts.")
    return texts


def _prompts(X: Sequence[str], prompts: Sequence[str] | None) -> list[str]:
    return [""] * len(X) if prompts is None else [str(prompt) for prompt in prompts]
