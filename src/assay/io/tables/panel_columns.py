"""Which column of a table of ratings holds what: a guess from names and values, for a person to check."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import polars as pl

from assay.errors import Field, InputError
from assay.io.tables.columns import ROWS_LOOKED_AT, text_column
from assay.io.tables.tables import TableSource, require_columns

Layout = Literal["long", "wide", "preferences"]

_ITEM = re.compile(
    r"^(item|response|example|sample|document|essay|question|prompt|instance|task|row|record|submission|test)(_?(id|name|no|number|idx|index))?$"
    r"|^(id|uid|uuid|key|sample_idx)$"
)
_RATER = re.compile(
    r"^(rater|judge|annotator|scorer|grader|evaluator|worker|reviewer|coder|assessor|labell?er|model|provider)(_?(id|name))?$"
)
_LABEL = re.compile(r"^(score|label|rating|value|grade|answer|verdict|annotation|vote|judg(e)?ment|result)s?$")
_ROLES: dict[str, re.Pattern[str]] = {
    "criterion": re.compile(r"^(criterion|criteria|trait|dimension|aspect|rubric|metric|scorer|trait_name)$"),
    "run": re.compile(r"^(run|repeat|repetition|trial|epoch|attempt|replicate)(_?(id|no|number))?$"),
    "time": re.compile(r"^(time|timestamp|date|datetime|created|created_at|when|position_in_session)$"),
    "kind": re.compile(r"^(kind|role|type|rater_type|rater_kind|source)$"),
    "family": re.compile(r"^(family|model_family|rater_family|vendor|maker)$"),
    "author": re.compile(r"^(author|author_family|written_by|generator|writer|item_family|generated_by)$"),
    "version": re.compile(r"^(version|model_version|rater_version|snapshot)$"),
    "length": re.compile(r"^(n_?)?(words?|tokens?|length|chars?|characters?)(_?count)?$|^word_?count$|^num_?words$"),
    "weight": re.compile(r"^(item_)?weights?$"),
    "text": re.compile(r"^(text|content|body|item_text|response_text|output|review|essay_text)$"),
}
_A = re.compile(r"^(a|model_a|response_a|option_a|candidate_a|left|first|system_a)$")
_B = re.compile(r"^(b|model_b|response_b|option_b|candidate_b|right|second|system_b)$")
_WINNER = re.compile(r"^(winner|preference|preferred|choice|chosen|vote|verdict|label)$")
_ORDER = re.compile(r"^(order|shown_first|position|order_shown|first_shown|swapped)$")
_GROUP = re.compile(
    r"gender|sex|language|^l1$|country|region|group|race|ethnic|school|domain|category|topic|genre|subset"
)
JUDGE = re.compile(
    r"gpt|claude|gemini|llama|mi[sx]tral|qwen|deepseek|gemma|palm|command-?r|grok|nova|titan|(^|[^a-z])(o[1-9]|phi)([^a-z]|$)"
    r"|llm|judge|model|engine|system|machine|auto|bot|(^|[^a-z])ai([^a-z]|$)|pred",
    re.IGNORECASE,
)
PERSON = re.compile(
    r"human|person|people|rater|annot|expert|teacher|reader|student|worker|author|crowd|gold|reviewer|(^|[^a-z])h_?\d+$|^[rw]_?\d+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PanelColumns:
    """The layout of the table, and the column of each role; None where there is none."""

    layout: Layout
    item: str | None = None
    rater: str | None = None
    label: str | None = None
    criterion: str | None = None
    run: str | None = None
    time: str | None = None
    kind: str | None = None
    family: str | None = None
    author: str | None = None
    version: str | None = None
    length: str | None = None
    weight: str | None = None
    text: str | None = None
    groups: tuple[str, ...] = ()
    first: str | None = None
    """Preferences: what was shown as A, and as B; who won; what stood first."""
    second: str | None = None
    winner: str | None = None
    order: str | None = None
    humans: tuple[str, ...] = ()
    """Wide: columns with a rater each. Long: raters by name; without any, they are told apart by kind or name."""
    judges: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    """The roles that were guessed."""
    presumed: tuple[str, ...] = ()
    """Wide: columns taken for people only because they hold the judges' labels and are not named like a model."""
    unused: tuple[str, ...] = ()
    """Wide: columns that hold the raters' labels but are named like neither a person nor a model."""

    def single(self) -> dict[str, str]:
        """Role -> column, for every role of one column."""
        skipped = {"layout", "groups", "humans", "judges", "guessed", "presumed", "unused"}
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in skipped and getattr(self, f.name)}


def plain_name(name: str) -> str:
    """A column's name in small letters, its words joined by underscores.

    >>> plain_name("Rater ID"), plain_name("modelA")
    ('rater_id', 'model_a')
    """
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")


def panel_columns(
    source: TableSource,
    *,
    humans: Sequence[str] = (),
    judges: Sequence[str] = (),
    groups: Sequence[str] = (),
    **named: str | None,
) -> PanelColumns:
    """The columns that were named, and a guess at the others."""
    asked = {role: column for role, column in named.items() if column}
    require_columns(source, [*asked.items(), *(("groups", name) for name in groups)])
    layout = _layout(source, asked, (*humans, *judges))
    guess = {"wide": _wide, "long": _long, "preferences": _preferences}[layout]
    columns = guess(source, asked, tuple(humans), tuple(judges))
    return replace(columns, groups=tuple(groups)) if groups else columns


def _layout(source: TableSource, asked: dict[str, str], raters: Sequence[str]) -> Layout:
    if asked.keys() & {"first", "second", "winner"}:
        return "preferences"
    if asked.keys() & {"rater", "label"}:
        return "long"
    if raters and set(raters) <= set(source.columns):
        return "wide"
    names = [plain_name(name) for name in source.columns]

    def has(pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(name) for name in names)

    if has(_A) and has(_B) and has(_WINNER):
        return "preferences"
    if has(_RATER) and has(_LABEL):
        return "long"
    if raters:
        require_columns(source, [("judges", name) for name in raters])
    return "wide"


class _Taken:
    """Columns that have a role already."""

    def __init__(self, source: TableSource, asked: dict[str, str]) -> None:
        self.roles: dict[str, Any] = dict(asked)
        self.guessed: list[str] = []
        self._free = {plain_name(name): name for name in reversed(source.columns) if name not in asked.values()}

    def take(self, role: str, pattern: re.Pattern[str]) -> None:
        if role in self.roles:
            return
        name = next((plain for plain in reversed(self._free) if pattern.search(plain)), None)
        if name is not None:
            self.roles[role] = self._free.pop(name)
            self.guessed.append(role)

    @property
    def free(self) -> list[str]:
        return [self._free[name] for name in reversed(self._free)]


def _long(source: TableSource, asked: dict[str, str], humans: tuple[str, ...], judges: tuple[str, ...]) -> PanelColumns:
    taken = _Taken(source, asked)
    taken.take("rater", _RATER)
    taken.take("label", _LABEL)
    taken.take("item", _ITEM)
    for role, pattern in _ROLES.items():
        taken.take(role, pattern)
    for role, what in (("item", "what was rated"), ("rater", "who rated it"), ("label", "the score or label")):
        if role not in taken.roles:
            remedy = ("Name it with ", Field(role), ".")
            raise InputError(f"no column seems to hold {what}", source=source.name, field=role, remedy=remedy)
    groups = tuple(name for name in taken.free if _GROUP.search(plain_name(name)))
    return PanelColumns(
        "long", **taken.roles, groups=groups, humans=humans, judges=judges, guessed=tuple(taken.guessed)
    )


def _preferences(
    source: TableSource, asked: dict[str, str], humans: tuple[str, ...], judges: tuple[str, ...]
) -> PanelColumns:
    taken = _Taken(source, asked)
    for role, pattern in (("first", _A), ("second", _B), ("winner", _WINNER), ("order", _ORDER)):
        taken.take(role, pattern)
    taken.take("rater", _RATER)
    taken.take("item", _ITEM)
    for role in ("kind", "family", "run", "time", "text"):
        taken.take(role, _ROLES[role])
    for role, what in (("first", "what was shown as A"), ("second", "what was shown as B"), ("winner", "who won")):
        if role not in taken.roles:
            remedy = ("Name it with ", Field(role), ".")
            raise InputError(f"no column seems to hold {what}", source=source.name, field=role, remedy=remedy)
    groups = tuple(name for name in taken.free if _GROUP.search(plain_name(name)))
    return PanelColumns(
        "preferences", **taken.roles, groups=groups, humans=humans, judges=judges, guessed=tuple(taken.guessed)
    )


def _wide(source: TableSource, asked: dict[str, str], humans: tuple[str, ...], judges: tuple[str, ...]) -> PanelColumns:
    asked = {role: name for role, name in asked.items() if role in ("item", "length", "weight", "text", "author")}
    taken = _Taken(source, {**asked, **{f"rater {n}": name for n, name in enumerate((*humans, *judges))}})
    taken.take("item", _ITEM)
    for role in ("length", "weight", "text", "author"):
        taken.take(role, _ROLES[role])
    roles = {role: name for role, name in taken.roles.items() if not role.startswith("rater ")}
    groups = tuple(name for name in taken.free if _GROUP.search(plain_name(name)))
    guessed = list(taken.guessed)
    raters = _Raters(humans, judges)
    if not humans and not judges:
        raters = _guess_raters(source, [name for name in taken.free if name not in groups])
        guessed += ["humans", "judges"]
    return PanelColumns(
        "wide",
        **roles,
        groups=groups,
        humans=raters.humans,
        judges=raters.judges,
        guessed=tuple(guessed),
        presumed=raters.presumed,
        unused=raters.unused,
    )


@dataclass(frozen=True, slots=True)
class _Raters:
    """Columns of a wide table that hold ratings."""

    humans: tuple[str, ...]
    judges: tuple[str, ...]
    presumed: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


def _guess_raters(source: TableSource, free: Sequence[str]) -> _Raters:
    head = source.frame().head(ROWS_LOOKED_AT) if source.columns else pl.DataFrame()
    few = [name for name in free if _few_labels(head, name)]
    judges = tuple(name for name in few if JUDGE.search(name) and not PERSON.match(name))
    humans = tuple(name for name in few if name not in judges and PERSON.search(name))
    labels = {label for name in (*humans, *judges) for label in _labels_of(head, name)}
    alike = tuple(
        name for name in few if name not in humans and name not in judges and _labels_of(head, name) <= labels
    )
    if judges and not humans and alike:
        return _Raters(alike, judges, presumed=alike)
    if len(humans) + len(judges) < 2:
        candidates = [name for name in few if name not in judges and name not in humans]
        which = f"which of the columns {', '.join(candidates)}" if candidates and not judges else "which columns"
        remedy = ("Name the columns with ", Field("humans"), " and ", Field("judges"), ".")
        raise InputError(f"cannot tell {which} are raters", source=source.name, field="humans", remedy=remedy)
    return _Raters(humans, judges, unused=alike)


def _labels_of(head: pl.DataFrame, name: str) -> set[str]:
    """What a rater gave, numbers without a needless fraction."""
    return set(text_column(head, name).drop_nulls().str.strip_chars().to_list())


def _few_labels(head: pl.DataFrame, name: str) -> bool:
    cells = head.get_column(name)
    if cells.dtype.is_nested() or cells.dtype == pl.Binary:
        return False
    text = text_column(head, name).drop_nulls()
    return text.len() > 0 and (text.n_unique() <= 64 or text.cast(pl.Float64, strict=False).null_count() == 0)


def is_judge(name: str) -> bool:
    """Whether a rater's name looks like that of a model.

    >>> is_judge("gpt-4o"), is_judge("rater_2"), is_judge("w40")
    (True, False, False)
    """
    return bool(JUDGE.search(name)) and not re.match(
        r"^(human|person|annotator|expert|teacher|rater)", name, re.IGNORECASE
    )
