"""What the API takes and gives, and what its routes share."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

from assay.evaluation.thresholds import THRESHOLDS
from assay.io.results.result_json import plain
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.store.courses import CourseRole
from assay.store.items import Item, StoredResult
from assay.store.overrides import Decision
from assay.store.reviews import WHOLE
from assay.web.pages.page_parts import Number, find_context, find_own
from assay.web.problems import NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Anyone
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.trust_sources import MOST_DRAWN

NewModel = Literal["training", "refit"]
KindName = Literal["evaluation", "panels", "annotations", "essays"]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


class Shape(BaseModel):
    """Strict where it comes in: an unknown field is a mistake, and said so."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class ProblemShape(Shape):
    """What every answer that is not a success looks like: problem details as RFC 9457 has them."""

    type: str = Field(default="about:blank", description="Always about:blank: the status says what kind it is.")
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What is wrong and what to do, in one text.")
    field: str | None = Field(default=None, description="The setting or field that is wrong.")
    source: str | None = Field(default=None, description="The upload it is in.")
    row: int | None = Field(default=None, description="Its row, as an editor numbers them.")
    column: str | None = Field(default=None, description="Its column.")
    remedy: str | None = Field(default=None, description="What to do about it.")
    errors: dict[str, str] | None = Field(default=None, description="What is wrong with each of several fields.")


class NewWorkspace(Shape):
    kind: KindName
    name: Words
    course_id: Annotated[str, StringConstraints(max_length=16)] = Field(
        default="", description="The course it belongs to; without it the one you joined last."
    )


class WorkspaceChange(Shape):
    name: Words


class WorkspaceShape(Shape):
    id: str
    kind: str
    name: str
    settings: dict[str, Any]
    summary: dict[str, Any] = Field(description="State, count and trust figure in words.")
    author: str
    example: bool
    created: datetime
    changed: datetime
    course_id: str


class WorkspaceList(Shape):
    workspaces: list[WorkspaceShape]


class UploadShape(Shape):
    id: int
    role: str
    name: str
    digest: str = Field(description="SHA-256 of the bytes.")
    size: int
    created: datetime


class UploadList(Shape):
    uploads: list[UploadShape]


class StartJob(Shape):
    task: Literal["score", "train", "refit"] = Field(
        default="score", description="Essays also take train, on the table uploaded as training, and refit."
    )
    settings: dict[str, Any] = Field(
        default_factory=dict,
        description="Evaluation takes human, system, id, groups, candidate, length, scale; annotations take rules; "
        "essays take text, id, prompt, score, program, question, model; train takes what assay.train takes.",
    )


class JobShape(Shape):
    id: str = Field(validation_alias=AliasChoices("id", "job_id"))
    workspace_id: str
    kind: str
    state: Literal["preparing", "queued", "running", "done", "cancelled"]
    done: int
    failed: int
    total: int
    rate: float | None = Field(description="Pieces a second; null while not known.")
    seconds_left: float | None
    report_error: str | None = Field(description="Why the class report failed; it is one of the failed then.")


class FailureShape(Shape):
    item_id: int | None
    message: str


class JobDetail(Shape):
    job: JobShape
    failures: list[FailureShape]


class JobList(Shape):
    jobs: list[JobShape]


class StartedShape(Shape):
    job: JobShape | None = Field(description="null when everything has its result already.")


class ItemShape(Shape):
    id: int
    position: int
    name: str
    student: str | None
    digest: str


class ResultShape(Shape):
    """An item with what the engine made of it, and what people decided."""

    item: ItemShape
    score: float | None = Field(description="The system score; null when there is none.")
    final_score: float | None = Field(description="The score after overrides.")
    reviewed: bool
    payload: dict[str, Any]
    made_at: datetime | None = Field(serialization_alias="made")

    @classmethod
    def of(cls, item: Item, result: StoredResult | None, decisions: list[Decision]) -> "ResultShape":
        score = result.score if result else None
        return cls(
            item=ItemShape.model_validate(item),
            score=score,
            final_score=decisions[-1].human_score if decisions else score,
            reviewed=any(decision.target == WHOLE for decision in decisions),
            payload=result.payload if result else {},
            made_at=result.made_at if result else None,
        )

    def only(self, shown: Collection[str]) -> "ResultShape":
        """As far as somebody may see it: students get the parts their teacher chose."""
        score: dict[str, Any] = {} if "score" in shown else {"score": None, "final_score": None}
        payload: dict[str, Any] = {} if {"sums", "overlay"} & set(shown) else {"payload": {}}
        return self.model_copy(update={**score, **payload})


class ResultList(Shape):
    total: int
    results: list[ResultShape]


class NewDecision(Shape):
    kind: Literal["override", "confirm"]
    target: Annotated[str, StringConstraints(min_length=1, max_length=400)] = "score"
    value: Any = None
    reason: Annotated[str, StringConstraints(max_length=2000)] = ""


class DecisionShape(Shape):
    id: int
    item_id: int
    kind: Literal["override", "confirm"]
    target: str
    value: Any
    previous: Any
    system_score: float | None
    human_score: float | None
    reason: str
    author: str
    made_at: datetime = Field(serialization_alias="made")
    undone: datetime | None
    undone_by: str | None


class DecisionList(Shape):
    decisions: list[DecisionShape]


class ExportShape(Shape):
    path: str
    group: str
    title: str


class ExportList(Shape):
    exports: list[ExportShape]


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


PROBLEM_JSON = "application/problem+json"
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": {PROBLEM_JSON: {"schema": ProblemShape.model_json_schema()}}}
    for status, words in {
        400: "The request cannot be read.",
        401: "Nobody is signed in.",
        403: "Not allowed.",
        404: "There is no such thing, or not for this account.",
        413: "The upload is too large.",
        422: "Something is wrong with the values; the message says what.",
    }.items()
}


def _for(role: CourseRole) -> Any:
    """A workspace for those whose role in its course is enough."""

    def workspace_by_id(workspace_id: str, site: SiteHere, who: Anyone) -> WorkspaceContext:
        return find_context(workspace_id, site, who, role=role)

    return Depends(workspace_by_id)


Readable = Annotated[WorkspaceContext, _for("student")]
"""Anyone in the course may ask about it; what they see of it is up to the route."""
Reviewable = Annotated[WorkspaceContext, _for("reviewer")]
Changeable = Annotated[WorkspaceContext, _for("assistant")]
Removable = Annotated[WorkspaceContext, _for("teacher")]


def item_here(item_id: Number, context: Readable) -> Item:
    """An item of the workspace; students have only their own."""
    item = find_own(item_id, context)
    if item is None:
        raise NotFound("There is no such item.")
    return item


ItemHere = Annotated[Item, Depends(item_here)]
