"""What the API takes and gives."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

from assay.store.items import Item, StoredResult
from assay.store.overrides import Decision

KindName = Literal["evaluation", "annotations", "essays"]
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
    settings: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the kind; evaluation takes human, system, id, groups, candidate, length, scale.",
    )


class JobShape(Shape):
    id: str = Field(validation_alias=AliasChoices("id", "job_id"))
    workspace_id: str
    kind: str
    state: Literal["queued", "running", "done", "cancelled"]
    done: int
    failed: int
    total: int
    rate: float | None = Field(description="Pieces a second; null while not known.")
    seconds_left: float | None


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
            reviewed=bool(decisions),
            payload=result.payload if result else {},
            made_at=result.made_at if result else None,
        )


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
