"""What workspaces, their items and their jobs keep as JSON, typed by kind.

Each class reads the JSON that the database holds and writes the same JSON again: names it does not know, kept by
another version, are left as they are, and a value that was never set is not written.
"""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from assay.store.blobs import Upload
from assay.store.schema import Json
from assay.store.workspaces import Workspace


class StoredJson(BaseModel):
    """A JSON object with known names."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    @classmethod
    def from_json(cls, content: Json) -> Self:
        return cls.model_validate(content)

    def to_json(self) -> Json:
        return self.model_dump(mode="json", exclude_unset=True, by_alias=True)

    def changed(self, **values: Any) -> Self:
        """The same with other values."""
        return self.model_copy(update=values)


class WorkspaceSettings(StoredJson):
    """What every kind of workspace keeps."""

    engine: str = ""
    """The digest of all that bears on a score; empty until something was scored."""
    samples: tuple[Json, ...] = ()
    """Items drawn at random: engine, seed, of how many, items, author, made."""

    @classmethod
    def of(cls, workspace: Workspace) -> Self:
        return cls.from_json(workspace.settings)


class ModelChoice(StoredJson):
    """A score model; the digest of the bundled one is empty."""

    digest: str
    name: str


BUNDLED_MODEL = ModelChoice(digest="", name="Generic10 for argumentative essays")


class EssayColumnNames(StoredJson):
    """Which column of a table holds what; empty where none does."""

    text: str = ""
    id: str = ""
    prompt: str = ""
    score: str = ""
    program: str = ""
    second: str = ""

    @property
    def roles(self) -> dict[str, str]:
        """Column -> what it holds."""
        return {name: role for role, name in self.to_json().items() if name}


NO_ESSAY_COLUMNS = EssayColumnNames(text="", id="", prompt="", score="", program="")


class EssaySettings(WorkspaceSettings):
    """Essays: question, columns of their table, models."""

    question: str = ""
    columns: EssayColumnNames = NO_ESSAY_COLUMNS
    columns_chosen: bool | None = None
    """Whether a person checked the columns; None where there is no table."""
    training_columns: EssayColumnNames = NO_ESSAY_COLUMNS
    model: ModelChoice | None = None
    """The one that scores; None means the bundled one."""
    next_model: ModelChoice | None = None
    """One that was uploaded and has not scored yet."""
    models: tuple[ModelChoice, ...] = ()
    training: Json | None = None
    refit: Json | None = None
    """The model in the making: item, engine, job, name, and of what."""

    @property
    def scoring_model(self) -> ModelChoice:
        return self.model or BUNDLED_MODEL

    def with_model(self, model: ModelChoice) -> tuple[ModelChoice, ...]:
        """The models the workspace knows, this one last."""
        return (*(known for known in self.models if known.digest != model.digest), model)


class ScoreColumnNames(StoredJson):
    """Which columns of a score table hold what."""

    id: str = ""
    human: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    candidate: str = ""
    length: str = ""


class EvaluationSettings(WorkspaceSettings):
    """A score table: its columns and scale, and of which files a joined table was made."""

    columns: ScoreColumnNames = ScoreColumnNames()
    scale: str = ""
    made_of: Mapping[str, Mapping[str, str]] = {}
    """Digest of a joined table -> name and digest of each file in it."""


class TruthFacts(StoredJson):
    """What pages say of a ground truth without reading it again."""

    objects: int = 0
    images: int = 0
    format: str = ""
    kinds: Mapping[str, int] = {}
    labels: int = 0
    problems: tuple[Json, ...] = ()


class AnnotationSettings(WorkspaceSettings):
    """Annotations: the rules, and what is known of the ground truth."""

    rules: str = ""
    """As TOML."""
    inferred: str = ""
    """The rules as the ground truth suggests them."""
    truth: TruthFacts | None = None
    together: int | None = None
    """The item that holds the report of all."""
    previous_engine: str = ""


class EvaluationJob(StoredJson):
    """Evaluate the engines of a table."""

    digest: str
    suffix: str
    source: str
    inputs: Mapping[str, str] = {}
    columns: ScoreColumnNames
    scale: str = ""
    time: str = Field(alias="made")
    command: str


class EvaluationTask(StoredJson):
    """One engine, or all of them compared."""

    what: Literal["engine", "comparison"] | None = Field(default=None, alias="is")
    engine: str = ""


class EssayJob(StoredJson):
    """Score essays with a model (the digest is empty for the bundled one)."""

    model: str
    model_name: str
    question: str = ""


class EssayTask(StoredJson):
    """Where the text of an essay is: a document, a member of a ZIP, or a row of a table."""

    what: Literal["document", "member", "row"] | None = Field(default=None, alias="is")
    digest: str = ""
    suffix: str = ""
    file: str = ""
    prompt: str = ""
    member: str = ""
    row: int = 0
    columns: EssayColumnNames = NO_ESSAY_COLUMNS
    program: str = ""
    human: float | None = None
    """The score a person gave before, from the table."""


class TrainingJob(StoredJson):
    """Train a model on a table; `blocks` are item, first and last essay (exclusive) of what is measured at once."""

    digest: str
    suffix: str
    source: str
    columns: EssayColumnNames
    kind: str
    scale: str = ""
    blocks: tuple[tuple[int, int, int], ...] = ()


class RefitJob(EssayJob):
    """Move a model towards what people decided about the scores of an engine."""

    engine: str


class TrainingTask(StoredJson):
    """Measure some essays, fit the model, or refit it to final scores by item."""

    what: Literal["measure", "fit", "refit"] | None = Field(default=None, alias="is")
    first: int = 0
    stop: int = 0
    scores: tuple[tuple[int, float], ...] = ()


class StoredFile(StoredJson):
    """An upload as a job carries it."""

    digest: str
    suffix: str
    name: str

    @classmethod
    def of(cls, upload: "Upload | AnnotationTask") -> Self:
        return cls(digest=upload.digest, suffix=upload.suffix, name=upload.name)

    @property
    def file_name(self) -> str:
        """What readers call the file in messages."""
        return PurePath(self.name).name or self.name


class AnnotationJob(StoredJson):
    """Score submissions against a ground truth by rules."""

    truth: StoredFile
    images: tuple[StoredFile, ...] = ()
    rules: str
    time: str = Field(alias="made")
    command: str
    inputs: Mapping[str, str] = {}


class AnnotationTask(StoredJson):
    """One submission of an upload, or the report of all with the overrides that hold."""

    what: Literal["submission", "batch"] | None = Field(default=None, alias="is")
    place: int = 0
    digest: str = ""
    suffix: str = ""
    name: str = ""
    uploads: tuple[StoredFile, ...] = ()
    decisions: Mapping[str, tuple[Json, ...]] = {}
