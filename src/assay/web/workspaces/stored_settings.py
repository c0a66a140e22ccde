"""What workspaces, their items and their jobs keep as JSON, typed by kind.

Each class reads the JSON that the database holds and writes the same JSON again: names it does not know, kept by
another version, are left as they are, and a value that was never set is not written.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from assay.errors import InputError
from assay.store.blobs import Upload
from assay.store.schema import Json
from assay.store.workspaces import Workspace

Share: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]
ColumnNames: TypeAlias = list[str] | str
HALF = "a text holds half a surrogate pair, which cannot be kept"


class StoredJson(BaseModel):
    """A JSON object with known names."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    @classmethod
    def from_json(cls, content: Json) -> Self:
        try:
            return cls.model_validate(content)
        except ValidationError as problem:
            first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
            what = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        except UnicodeError:
            what = HALF
        raise InputError(f"what is kept cannot be read: {what}", remedy="Restore the database from a backup.")

    def to_json(self) -> Json:
        try:
            return self.model_dump(mode="json", exclude_unset=True, by_alias=True)
        except UnicodeError:
            raise InputError(HALF, remedy="Write the text again.") from None

    def changed(self, **values: Any) -> Self:
        """The same with other values."""
        return self.model_copy(update=values)


class DrawnSample(StoredJson):
    """Items of an engine that were drawn at random, and of how many."""

    engine: str
    seed: int
    of: int
    items: tuple[int, ...]
    author: str = ""
    time: str = Field(default="", alias="made")


class WorkspaceSettings(StoredJson):
    """What every kind of workspace keeps."""

    engine: str = ""
    """The digest of all that bears on a score; empty until something was scored."""
    samples: tuple[DrawnSample, ...] = ()

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
    second_score: str = Field(
        default="", validation_alias=AliasChoices("second_score", "second"), serialization_alias="second"
    )
    third_score: str = ""

    @property
    def roles(self) -> dict[str, str]:
        """Column -> what it holds."""
        return {name: role for role in COLUMN_ROLES if (name := getattr(self, role))}

    def with_named(self, request: StoredJson, roles: Iterable[str]) -> "EssayColumnNames":
        """The same with the columns that a request names; what it does not name stays."""
        named = {role: getattr(request, role) for role in roles}
        return self.changed(**{role: name for role, name in named.items() if name is not None})


COLUMN_ROLES = tuple(EssayColumnNames.model_fields)


NO_ESSAY_COLUMNS = EssayColumnNames(text="", id="", prompt="", score="", program="")


class RequestedModel(StoredJson):
    """A model in the making: where its result will be, and of what it is made."""

    item: int
    engine: str
    job: str
    name: str
    source: str = ""
    """The table it is trained on."""
    of: str = ""
    """The engine whose scores people decided about, for a refit."""
    reviews: int = 0


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
    training: RequestedModel | None = None
    refit: RequestedModel | None = None

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


class EvaluationOptions(StoredJson):
    """What bears on an evaluation besides columns and scale, by the names the workflow has for it."""

    weights: str = ""
    min_items: int = 0
    min_group: int = 10
    cuts: list[Share] = []
    flag: list[str] = []
    keep_zeros: bool | None = None
    trim_tolerance: Share | None = None
    rater_error_variance: Share | None = None
    intervals: str = "jackknife"
    seed: int = 0


class EvaluationSettings(WorkspaceSettings):
    """A score table: its columns and scale, and of which files a joined table was made."""

    columns: ScoreColumnNames = ScoreColumnNames()
    scale: str = ""
    reference: str = ""
    """Which human score of several the engines are judged by; empty for the first."""
    options: EvaluationOptions = EvaluationOptions()
    made_of: Mapping[str, Mapping[str, str]] = {}
    """Digest of a joined table -> name and digest of each file in it."""


class PanelChoice(StoredJson):
    """What the columns of a table of ratings hold, who is a judge, and what is asked."""

    layout: Literal["long", "wide", "preferences"] = "long"
    item: str = ""
    rater: str = ""
    label: str = ""
    criterion: str = ""
    run: str = ""
    time: str = ""
    family: str = ""
    author: str = ""
    model_version: str = ""
    length: str = ""
    weight: str = ""
    text: str = ""
    first: str = ""
    second: str = ""
    winner: str = ""
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    kind: str = ""
    levels: str = ""
    """Words from low to high, separated by commas."""
    scale: str = ""
    epsilon: float = 0.1
    margin: float = 0.05
    scoring: str = ""
    min_items: int = 30
    within: float | None = None
    pass_mark: float | None = None
    next_items: int = 20
    seed: int = 0


class PanelSettings(WorkspaceSettings):
    """A table of ratings."""

    panel: PanelChoice = PanelChoice()


class PanelRequest(StoredJson):
    """What a program may say of a panel; the rest is guessed."""

    layout: Literal["long", "wide", "preferences"] = "long"
    item: str = ""
    rater: str = ""
    label: str = ""
    criterion: str = ""
    run: str = ""
    time: str = ""
    family: str = ""
    author: str = ""
    model_version: str = ""
    length: str = ""
    weight: str = ""
    text: str = ""
    first: str = ""
    second: str = ""
    winner: str = ""
    humans: ColumnNames = []
    judges: ColumnNames = []
    groups: ColumnNames = []
    exclude: ColumnNames = []
    kind: str = ""
    levels: str = ""
    scale: str = ""
    epsilon: float = 0.1
    margin: float = 0.05
    scoring: str = ""
    min_items: int = 30
    within: float | None = None
    pass_mark: float | None = None
    next_items: int = 20
    seed: int = 0


class PanelJob(StoredJson):
    """Work out a panel."""

    digest: str
    suffix: str
    source: str
    panel: PanelChoice
    time: str = Field(alias="made")
    command: str


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


class EssayRequest(StoredJson):
    """What a program may say of the scoring of essays; None where it says nothing."""

    text: str | None = None
    id: str | None = None
    prompt: str | None = None
    score: str | None = None
    program: str | None = None
    question: str | None = None
    model: str | None = None
    """By its name or its digest; `bundled` for the one that comes with the program."""


class EvaluationRequest(EvaluationOptions):
    """What a program may say of an evaluation; None where it says nothing."""

    id: str | None = None
    human: ColumnNames = []
    system: ColumnNames = []
    groups: ColumnNames = []
    candidate: str | None = None
    length: str | None = None
    scale: str | None = None
    reference: str | None = None


class RulesRequest(StoredJson):
    """What a program may say of the scoring of annotations."""

    rules: str | None = None


class EvaluationJob(StoredJson):
    """Evaluate the engines of a table."""

    digest: str
    suffix: str
    source: str
    inputs: Mapping[str, str] = {}
    columns: ScoreColumnNames
    scale: str = ""
    reference: str = ""
    options: EvaluationOptions = EvaluationOptions()
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


class TrainingOptions(StoredJson):
    """How a model is to be built, by the names and with the defaults that `train` has for it."""

    kind: str = "generic12"
    length_weight: Share | None = 0.2
    fix: Mapping[str, Share] = {}
    cutoffs: str = "balanced"
    curves: bool = False
    scale: str = ""
    paper: bool = False

    @property
    def of_plan(self) -> dict[str, Any]:
        """Those that say how the model is built, whatever the scores."""
        return self.model_dump(include=set(TrainingOptions.model_fields) - {"scale"})


class TrainingRequest(TrainingOptions):
    """What a program may say of the training of a model; None where it names no column."""

    text: str | None = None
    id: str | None = None
    prompt: str | None = None
    score: str | None = None
    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None


class TrainingJob(TrainingOptions):
    """Train a model on a table; `blocks` are item, first and last essay (exclusive) of what is measured at once."""

    digest: str
    suffix: str
    source: str
    columns: EssayColumnNames
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
