"""How far a workspace can be trusted, for programs."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from assay.errors import InputError
from assay.evaluation.thresholds import THRESHOLDS
from assay.evaluation.trust.judgement import Trust
from assay.io.results.result_json import plain
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.evaluation.trust_report import precision_words, selection_words, why_words
from assay.web.api.common import PROBLEMS, Changeable
from assay.web.api.shapes import Shape
from assay.web.pages.trust import trust_of
from assay.web.workspaces.evaluation.trust_sample import MOST_DRAWN, draw_sample
from assay.web.workspaces.workspace_page import WorkspaceContext

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
Figure = Literal[
    "qwk", "r", "r2", "kappa", "linear_kappa", "exact_agreement", "adjacent_agreement", "smd", "mse", "rmse", "mae"
]
assert set(PAIR_METRICS) == set(Figure.__args__)  # type: ignore[attr-defined]  # pydantic needs the literal


class FigureShape(Shape):
    """A figure with its 95 % interval; null where it is undefined, and then a reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    verdict: str | None = Field(default=None, description="Against its threshold, where it has one.")

    @classmethod
    def of(cls, name: str, estimate: Estimate) -> "FigureShape":
        threshold = THRESHOLDS.get(name)
        verdict = threshold.verdict(estimate) if threshold else None
        return cls(**plain(estimate), verdict=verdict)


class PrecisionShape(Shape):
    figure: str
    half_width: float | None = Field(description="Half the length of the interval of now.")
    within: float
    needed: int | None = Field(description="Reviews in all; null when nothing can be told yet.")
    more: int | None
    words: str


class NextShape(Shape):
    name: str
    why: str
    address: str = Field(description="Its page; empty where it has none.")


class TrustShape(Shape):
    reviewed: int
    waiting: int
    sample: bool = Field(description="Whether the figures are of the random draw alone.")
    selection: str = Field(description="How the reviewed were chosen, and what that means.")
    figures: dict[str, FigureShape]
    precision: PrecisionShape
    drift: FigureShape = Field(description="System minus human, later half less earlier half.")
    next: list[NextShape]


class NewSample(Shape):
    size: Annotated[int, Field(ge=1, le=MOST_DRAWN)]


class SampleShape(Shape):
    items: list[int]
    of: int
    seed: int


@router.get("/workspaces/{workspace_id}/trust", tags=["trust"])
def get_trust(
    found: Changeable,
    figure: Figure = "qwk",
    within: Annotated[float | None, Query(gt=0, le=1000, allow_inf_nan=False)] = None,
    of: Literal["", "all", "sample"] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
) -> TrustShape:
    """System against human with intervals, reviews still needed, and what to review next."""
    if "engine" not in found.workspace.settings:
        raise InputError("Nothing is scored here yet.")
    return _shape(found, trust_of(found, figure=figure, within=within, of=of, engine=engine))


def _shape(found: WorkspaceContext, told: Trust) -> TrustShape:
    figures = told.evaluation.figures() if told.evaluation else {}
    known = told.precision
    rounded: dict[str, Any] = plain({"half_width": known.now})
    return TrustShape(
        reviewed=len(told.pairs),
        waiting=len(told.evidence.names),
        sample=told.only_sample,
        selection=selection_words(told, found.kind),
        figures={name: FigureShape.of(name, estimate) for name, estimate in figures.items() if "." not in name},
        precision=PrecisionShape(
            figure=known.figure,
            half_width=rounded["half_width"],
            within=known.within,
            needed=known.needed,
            more=known.more,
            words=precision_words(known, found.kind),
        ),
        drift=FigureShape.of("", told.drift),
        next=[NextShape(name=one.name, why=why_words(one, found.kind), address=one.link) for one in told.next],
    )


@router.post("/workspaces/{workspace_id}/trust/sample", status_code=201, tags=["trust"])
def new_sample(found: Changeable, new: NewSample) -> SampleShape:
    """Draw items at random, to be reviewed without choosing."""
    if found.workspace.kind == "evaluation":
        raise InputError("Responses of a table are read elsewhere: draw them there, and upload their human scores.")
    drawn = draw_sample(found, new.size)
    return SampleShape(items=drawn["items"], of=drawn["of"], seed=drawn["seed"])
