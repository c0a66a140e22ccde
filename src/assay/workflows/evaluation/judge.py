"""FRONT DOOR `judge`: items, a rubric and a language model -> a rating of each item on each criterion.

Nothing is sent before the caller agreed to whom and how much; what was answered once is never asked again.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from os import PathLike
from pathlib import Path

from assay.errors import Field, InputError
from assay.evaluation.judging.answers import JudgeRatings, Rating, Usage, shared, values_in
from assay.evaluation.judging.probe import ProbeFigures, planted, probe_figures, probes_for
from assay.evaluation.judging.prompt import JudgedItem, again, answer_schema, messages_for, tokens_in, tokens_out
from assay.evaluation.judging.rubric import Criterion, JudgeRubric, Prices
from assay.execution.limits import value_of
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.judging.answer_cache import AnswerCache
from assay.io.judging.items_table import read_items
from assay.io.judging.requests import PatientModel, Request, ServerGone, first_of, in_threads, usage_of
from assay.io.judging.rubric_toml import read_judge_rubric
from assay.io.language_model import LanguageModel, Refused, configured_model, object_in
from assay.io.tables.tables import file_digest
from assay.provenance import Provenance
from assay.workflows.arguments import check_arguments
from assay.workflows.evaluation.judge_result import JudgeResult
from assay.workflows.evaluation.score_tables import Names, names_of, provenance_of
from assay.workflows.inputs import TableLike, table_of

ATTEMPTS = 3
"""An answer that cannot be used is asked for so often in all."""
ARGUMENTS = ("base_url", "model", "insecure")
MOST_RUNS, MOST_PARALLEL = 100, 64
Confirm = Callable[["SendingPlan"], bool]


@dataclass(frozen=True, slots=True)
class SendingPlan:
    """What would be sent to whom, before anything is."""

    url: str
    model: str
    items: int
    requests: int
    """Those that are not answered yet."""
    known: int
    """Those whose answer the cache has."""
    tokens_in: int
    tokens_out: int
    prices: Prices | None = None

    def words(self) -> str:
        """In three sentences."""
        items = f"{self.items:,} item{'s' * (self.items != 1)}"
        requests = f"{self.requests:,} request{'s' * (self.requests != 1)}"
        model = f" (model {self.model})" if self.model else ""
        known = f" {self.known:,} more are answered from the cache." if self.known else ""
        tokens = f"About {self.tokens_in:,} tokens in and {self.tokens_out:,} out"
        cost = "; what that costs is not known, as no prices are given."
        if self.prices is not None:
            spent = self.prices.cost(self.tokens_in, self.tokens_out)
            cost = f", about {money(spent)} {self.prices.currency}."
        return f"This sends text of {items} to {self.url}{model}: {requests}.{known} {tokens}{cost}"


def money(amount: float) -> str:
    """An amount with as many decimals as it takes to see it.

    >>> money(12.3456), money(0.00123), money(0)
    ('12.35', '0.0012', '0.00')
    """
    return f"{amount:.2f}" if amount >= 0.1 or not amount else f"{amount:.2g}"


def judge(
    items: TableLike,
    *,
    rubric: str | PathLike[str] | JudgeRubric,
    model: str | LanguageModel,
    base_url: str | None = None,
    text: str | None = None,
    id: str | None = None,
    context: Names = (),
    runs: int = 1,
    rater: str | None = None,
    probe: bool = False,
    probe_items: int = 20,
    temperature: float | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
    parallel: int = 4,
    per_minute: float | None = None,
    timeout: float = 60,
    cache: str | PathLike[str] | None = None,
    insecure: bool = False,
    yes: bool = False,
    confirm: Confirm | None = None,
    observer: Observer = SILENT,
    command: str = "",
    provenance: Provenance | None = None,
) -> JudgeResult:
    """Let a language model rate items by a rubric.

    Parameters
    ----------
    items
        A table with a row per item (a path, pandas, Polars, pyarrow, columns by name), or a folder of .txt files.
    rubric
        The TOML file with criteria, levels and examples, or a `JudgeRubric`.
    model, base_url
        The model's name, and the base address of an OpenAI-compatible server; ASSAY_LLM_URL without it. A key is
        taken from ASSAY_LLM_KEY only. Or a `LanguageModel`.
    text, id, context
        The columns with the text to judge, the item's name, and what it is judged beside, such as a question.
    runs
        How often each item is judged.
    rater
        What the judge is called in the table; the model's name without it.
    probe, probe_items
        Whether to measure how often text planted in an item moves its score, and on how many items.
    temperature, price_in, price_out
        In place of the rubric's; prices are for a million tokens.
    parallel, per_minute, timeout
        Requests at the same time, at most so many a minute, and seconds for each answer.
    cache
        A file that keeps every answer: a rerun sends nothing again. Without it they are held in memory.
    insecure
        Allow unencrypted HTTP to another machine.
    yes, confirm
        Send without asking; or a function that is shown the `SendingPlan` and says whether to send. Without either
        nothing is sent, and the error says what would be.
    observer, command, provenance
        As for `evaluate`.

    Returns
    -------
    JudgeResult

    Examples
    --------
    >>> judge({"text": ["Yes."]}, rubric="examples/rubric.toml", model="m", base_url="http://127.0.0.1:9/v1",
    ...     text="text")
    Traceback (most recent call last):
    assay.errors.InputError: This sends text of 1 item to http://127.0.0.1:9/v1 (model m): 1 request. ...
    """
    check_arguments(judge, locals())
    check_numbers(runs=runs, parallel=parallel, probe_items=probe_items)
    rules, digests = rubric_input(rubric, temperature, price_in, price_out)
    asked = model_for(model, base_url, timeout=timeout, insecure=insecure)
    with observer.stage("read"):
        texts, sources = read_items(table_of(items, "items"), text=text, id=id, context=names_of(context))
    judging = Judging(rules, asked, runs=runs, parallel=parallel, per_minute=per_minute, cache=cache)
    try:
        chosen = first_of([item for item in texts if judging.problem(item) is None], probe_items) if probe else []
        judging.agree(texts, chosen, yes=yes, confirm=confirm, observer=observer)
        ratings = judging.ratings(texts, observer, rater=rater or asked.name or "judge")
        figures, spent = judging.probes(chosen, ratings, observer) if chosen else ((), Usage())
    finally:
        judging.close()
    return JudgeResult(
        ratings=ratings,
        rubric=rules,
        url=asked.url,
        model=asked.name,
        runs=runs,
        probes=figures,
        probe_items=len(chosen),
        usage=ratings.usage + spent,
        sent=judging.asker.sent,
        provenance=provenance or provenance_of({**sources, **digests}, 0, command),
    )


def check_numbers(*, runs: int, parallel: int, probe_items: int) -> None:
    """InputError for numbers that make no sense."""
    for name, value, most in (
        ("runs", runs, MOST_RUNS),
        ("parallel", parallel, MOST_PARALLEL),
        ("probe_items", probe_items, 10_000),
    ):
        if not 1 <= value <= most:
            raise InputError((Field(name), f" is {value}; it must be from 1 to {most:,}"), field=name)


def rubric_input(
    rubric: str | PathLike[str] | JudgeRubric,
    temperature: float | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
) -> tuple[JudgeRubric, dict[str, str]]:
    """The rubric with what was said in place of its settings, and the digest of its file."""
    digests: dict[str, str] = {}
    if not isinstance(rubric, JudgeRubric):
        path = Path(rubric)
        rubric, digests = read_judge_rubric(path), {path.name: file_digest(path)}
    if temperature is not None:
        rubric = replace(rubric, temperature=temperature)
    if (price_in is None) != (price_out is None):
        problem = ("give both ", Field("price_in"), " and ", Field("price_out"))
        raise InputError(problem, field="price_in" if price_in is None else "price_out")
    if price_in is not None and price_out is not None:
        currency = rubric.prices.currency if rubric.prices else "USD"
        rubric = replace(rubric, prices=Prices(price_in, price_out, currency))
    return rubric, digests


def model_for(
    model: str | LanguageModel, base_url: str | None, *, timeout: float = 60, insecure: bool = False
) -> LanguageModel:
    """The model to ask; InputError if nobody said where it is."""
    if isinstance(model, LanguageModel):
        return replace(model, arguments=ARGUMENTS)
    if not 0 < timeout <= 3600:
        raise InputError((Field("timeout"), f" is {timeout:g}; it must be above 0 and at most 3600"), field="timeout")
    known = configured_model(os.environ, base_url, model, insecure=insecure, arguments=ARGUMENTS)
    if known is None:
        remedy = ("Give ", Field("base_url"), ", such as http://127.0.0.1:8080/v1, or set ASSAY_LLM_URL.")
        raise InputError("nobody said where the model is", field="base_url", remedy=remedy)
    return replace(known, timeout=timeout)


@dataclass(frozen=True, slots=True)
class _Unit:
    """One request: an item, criteria, and the number of the run."""

    item: JudgedItem
    criteria: tuple[Criterion, ...]
    run: int


@dataclass(frozen=True, slots=True)
class _Judged:
    rows: tuple[Rating, ...]
    usage: Usage = field(default_factory=Usage)
    asked_again: int = 0

    def __len__(self) -> int:
        return 1


class Judging:
    """A rubric and a model at work on items."""

    def __init__(
        self,
        rubric: JudgeRubric,
        model: LanguageModel,
        *,
        runs: int = 1,
        parallel: int = 4,
        per_minute: float | None = None,
        cache: str | PathLike[str] | None = None,
    ) -> None:
        if per_minute is not None and not 0 < per_minute <= 1e6:
            problem = (Field("per_minute"), f" is {per_minute:g}; it must be above 0")
            raise InputError(problem, field="per_minute")
        self.rubric, self.runs, self.parallel = rubric, runs, parallel
        self.cache = AnswerCache(None if cache is None else Path(cache))
        self.asker = PatientModel(model, self.cache, per_minute=per_minute)
        self.longest = value_of("essay_characters")

    def close(self) -> None:
        """Close the cache."""
        self.cache.close()

    def problem(self, item: JudgedItem) -> str | None:
        """Why an item is not sent."""
        if not item.text.strip():
            return "empty text"
        letters = len(item.text) + sum(len(text) for _, text in item.context)
        return f"text longer than {self.longest:,} characters" if letters > self.longest else None

    def _units(self, items: Sequence[JudgedItem], runs: int) -> Iterator[_Unit]:
        for item, run, criteria in product(items, range(1, runs + 1), self.rubric.groups):
            yield _Unit(item, criteria, run)

    def request(self, unit: _Unit) -> Request:
        """The first request for a unit."""
        messages = messages_for(self.rubric, unit.criteria, unit.item)
        rubric = self.rubric
        return Request(messages, answer_schema(unit.criteria), rubric.most_tokens, rubric.temperature, unit.run)

    def plan(self, items: Sequence[JudgedItem], probed: Sequence[JudgedItem] = ()) -> SendingPlan:
        """What would be sent, less what the cache has."""
        sent = [item for item in items if self.problem(item) is None]
        variants = [item for _, item in planted(probed, probes_for(self.rubric.criteria))]
        known = inward = outward = 0
        asked: set[str] = set()
        for unit in (*self._units(sent, self.runs), *self._units(variants, 1)):
            request = self.request(unit)
            key = self.asker.key(request)
            if key in self.cache or key in asked:
                known += key not in asked
                continue
            asked.add(key)
            inward += tokens_in(request.messages)
            outward += tokens_out(unit.criteria)
        model = self.asker.model
        return SendingPlan(model.url, model.name, len(sent), len(asked), known, inward, outward, self.rubric.prices)

    def agree(
        self,
        items: Sequence[JudgedItem],
        probed: Sequence[JudgedItem] = (),
        *,
        yes: bool,
        confirm: Confirm | None,
        observer: Observer = SILENT,
    ) -> None:
        """InputError unless the caller wants to send what there is to send."""
        if self.cache.damaged:
            observer.remark(f"{self.cache.damaged} lines of the cache cannot be read; they are asked for again.")
        plan = self.plan(items, probed)
        if not plan.requests:
            return
        if yes:
            observer.remark(plan.words())
        elif confirm is None or not confirm(plan):
            remedy = (
                ("Nothing was sent. Use ", Field("yes"), " to send it.") if confirm is None else "Nothing was sent."
            )
            raise InputError(plan.words() if confirm is None else "stopped", field="yes", remedy=remedy)
        if self.runs > 1 and not self.rubric.temperature:
            observer.remark("At temperature 0 the runs may be alike; set a temperature to see how steady the judge is.")

    def ratings(self, items: Sequence[JudgedItem], observer: Observer, *, rater: str) -> JudgeRatings:
        """Every item judged, in order."""
        judged = list(self._judged(items, self.runs, observer, "Judging"))
        rows = tuple(row for one in judged for row in one.rows)
        usage = sum((one.usage for one in judged), Usage())
        return JudgeRatings(rater, rows, len(items), usage, sum(one.asked_again for one in judged))

    def probes(
        self, items: Sequence[JudgedItem], ratings: JudgeRatings, observer: Observer
    ) -> tuple[tuple[ProbeFigures, ...], Usage]:
        """What each probe did, beside the first run without it."""
        probes = probes_for(self.rubric.criteria)
        judged = list(self._judged([item for _, item in planted(items, probes)], 1, observer, "Probing"))
        each = len(judged) // len(probes)
        rows = {
            probe.name: [row for one in judged[place * each : (place + 1) * each] for row in one.rows]
            for place, probe in enumerate(probes)
        }
        plain = {(r.item_id, r.criterion): r.value for r in ratings.rows if r.run == 1 and r.value is not None}
        return probe_figures(plain, rows, probes, self.rubric.criteria), sum((one.usage for one in judged), Usage())

    def _judged(self, items: Sequence[JudgedItem], runs: int, observer: Observer, title: str) -> Iterator[_Judged]:
        units = self._units(items, runs)
        total = len(items) * runs * len(self.rubric.groups)
        work = in_threads(partial(_judge_unit, self), units, parallel=self.parallel, stop=self.asker.stop)
        with closing(work) as judged:  # no thread may be at work when the cache is closed
            yield from with_progress(judged, observer, title, total)


def _judge_unit(judging: Judging, unit: _Unit) -> _Judged:
    """What the judge says of an item; an answer that cannot be used is asked for again."""
    if (unsent := judging.problem(unit.item)) is not None:
        return _Judged(tuple(_unrated(unit, unsent)))
    first = judging.request(unit)
    request, usage, why = first, Usage(), ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            answer = judging.asker.ask(request)
        except (Refused, ServerGone):
            raise
        except InputError as problem:
            why = f"no answer: {str(problem.problem)[:200]}"
            return _Judged(tuple(_unrated(unit, why, usage)), usage, attempt - 1)
        usage += usage_of(answer)
        values, mistakes = _read(answer.text, unit.criteria)
        if not mistakes:
            tokens = shared(usage.tokens_in + usage.tokens_out, len(unit.criteria))
            rows = (
                Rating(unit.item.item_id, criterion.name, unit.run, *values[criterion.name], count)
                for criterion, count in zip(unit.criteria, tokens, strict=True)
            )
            return _Judged(tuple(rows), usage, attempt - 1)
        if answer.cut:
            mistakes.append(f"it breaks off after {request.most_tokens} tokens; be brief")
        why = f"answer not usable: {'; '.join(mistakes)[:200]}"
        messages = again(first.messages, answer.text, mistakes)
        request = replace(first, messages=messages, attempt=attempt + 1)
    return _Judged(tuple(_unrated(unit, why, usage)), usage, ATTEMPTS - 1)


def _read(text: str, criteria: Sequence[Criterion]) -> tuple[dict[str, tuple[float | str, str]], list[str]]:
    try:
        return values_in(object_in(text), criteria)
    except ValueError as why:
        return {}, [f"it {why}"]


def _unrated(unit: _Unit, problem: str, usage: Usage | None = None) -> Iterator[Rating]:
    spent = usage or Usage()
    tokens = shared(spent.tokens_in + spent.tokens_out, len(unit.criteria))
    for criterion, count in zip(unit.criteria, tokens, strict=True):
        yield Rating(unit.item.item_id, criterion.name, unit.run, None, "", count, problem)
