"""How far a workspace can be trusted, for programs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from assay.errors import InputError
from assay.evaluation.thresholds import THRESHOLDS
from assay.io.results.result_json import plain
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.evaluation.trust_report import precision_words, selection_words, why_words
from assay.web.api.common import PROBLEMS, Changeable
from assay.web.api.shapes import Shape
from assay.web.pages.trust import draw_items, trust_of
from assay.web.workspaces.evaluation.trust_sample import MOST_DRAWN

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
        verdict = THRESHOLDS[name].verdict(estimate) if name in THRESHOLDS else None
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
    context: Changeable,
    figure: Figure = "qwk",
    within: Annotated[float | None, Query(gt=0, le=1000, allow_inf_nan=False)] = None,
    of: Literal["", "all", "sample"] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
) -> TrustShape:
    """System against human with intervals, reviews still needed, and what to review next."""
    if not context.workspace.engine:
        raise InputError("Nothing is scored here yet.")
    judgement, kind = trust_of(context, figure=figure, within=within, of=of, engine=engine), context.kind
    figures, precision = judgement.evaluation.figures() if judgement.evaluation else {}, judgement.precision
    return TrustShape(
        reviewed=len(judgement.pairs),
        waiting=len(judgement.evidence.names),
        sample=judgement.only_sample,
        selection=selection_words(judgement, kind),
        figures={name: FigureShape.of(name, estimate) for name, estimate in figures.items() if "." not in name},
        precision=PrecisionShape(
            figure=precision.figure,
            half_width=plain({"half_width": precision.now})["half_width"],
            within=precision.within,
            needed=precision.needed,
            more=precision.more,
            words=precision_words(precision, kind),
        ),
        drift=FigureShape.of("", judgement.drift),
        next=[NextShape(name=one.name, why=why_words(one, kind), address=one.link) for one in judgement.next],
    )


@router.post("/workspaces/{workspace_id}/trust/sample", status_code=201, tags=["trust"])
def new_sample(context: Changeable, new: NewSample) -> SampleShape:
    """Draw items at random, to be reviewed without choosing."""
    drawn = draw_items(context, new.size)
    return SampleShape(items=drawn["items"], of=drawn["of"], seed=drawn["seed"])
