"""`assay panel`, and what it says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.evaluation import AsJson, Force, Out, Pdf, Quiet, Seed, recorded_command, split_names

if TYPE_CHECKING:
    from assay.cli.text_table import TextTable
    from assay.workflows.evaluation.panel import PanelResult


def panel(
    ratings: Annotated[
        Path,
        typer.Argument(
            help="Ratings, long or wide, or preferences: CSV, JSONL, XLSX, Parquet, logs of inspect_ai or promptfoo."
        ),
    ],
    humans: Annotated[str | None, typer.Option(help="Raters who are people, separated by commas.")] = None,
    judges: Annotated[str | None, typer.Option(help="Raters who are judges, separated by commas.")] = None,
    item: Annotated[str | None, typer.Option(help="Column that names the item.")] = None,
    rater: Annotated[str | None, typer.Option(help="Column that names the rater.")] = None,
    label: Annotated[str | None, typer.Option(help="Column with the score or label.")] = None,
    criterion: Annotated[str | None, typer.Option(help="Column that names the criterion.")] = None,
    run: Annotated[str | None, typer.Option(help="Column that numbers the runs of a judge.")] = None,
    time: Annotated[str | None, typer.Option(help="Column that says when the rating was given.")] = None,
    rater_kind: Annotated[str | None, typer.Option(help="Column that says human or judge.")] = None,
    family: Annotated[str | None, typer.Option(help="Column with the model family of the rater.")] = None,
    author: Annotated[str | None, typer.Option(help="Column with the model family that wrote the item.")] = None,
    model_version: Annotated[str | None, typer.Option(help="Column with the version of the rater's model.")] = None,
    length: Annotated[str | None, typer.Option(help="Column with the length of the item.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column with the weight of the item.")] = None,
    text: Annotated[str | None, typer.Option(help="Column with the text of the item.")] = None,
    groups: Annotated[str | None, typer.Option(help="Columns with groups of items, separated by commas.")] = None,
    first: Annotated[str | None, typer.Option(help="Preferences: column with what was shown as A.")] = None,
    second: Annotated[str | None, typer.Option(help="Preferences: column with what was shown as B.")] = None,
    winner: Annotated[str | None, typer.Option(help="Preferences: column that says A, B or tie.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="What labels are: number, ordered, category or boolean. Inferred without it.")
    ] = None,
    levels: Annotated[
        str | None, typer.Option(help="Ordered words from low to high, separated by commas: poor,fair,good.")
    ] = None,
    scale: Annotated[str | None, typer.Option(help="The scores a scale allows: 1-5. Others are left out.")] = None,
    exclude: Annotated[str | None, typer.Option(help="Raters to leave out, separated by commas.")] = None,
    epsilon: Annotated[
        float, typer.Option(help="How much worse than a person a judge may be in the alternative annotator test.")
    ] = 0.1,
    margin: Annotated[
        float, typer.Option(help="By how much its agreement with people may fall short of people's with each other.")
    ] = 0.05,
    scoring: Annotated[
        str | None, typer.Option(help="accuracy or neg_rmse for the alternative annotator test. By kind without it.")
    ] = None,
    min_items: Annotated[int, typer.Option(help="People with fewer items are not tested.")] = 30,
    within: Annotated[
        float | None, typer.Option(help="Say how many human labels a mean within +- so much takes.")
    ] = None,
    pass_mark: Annotated[
        float | None, typer.Option(help="Scores from it on pass: correct pass rates, compare groups by passes.")
    ] = None,
    next_items: Annotated[int, typer.Option(help="How many items to label next are listed.")] = 20,
    gate: Annotated[
        list[str] | None, typer.Option(help="Fail unless it holds: 'gpt-4o.winning_rate>=0.5' 'people.agreement>=0.6'.")
    ] = None,
    gate_ci: Annotated[bool, typer.Option(help="A gate must hold for the whole 95 % interval.")] = False,
    seed: Seed = 0,
    out: Out = None,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say whether a judge may replace a rater, who agrees with whom, and where each judge errs.

    Examples: assay panel ratings.csv --humans ann,bob,cy --judges gpt,claude --scale 1-5
    or: assay panel long.csv --epsilon 0.15 --gate "gpt.winning_rate>=0.5"
    """
    from assay.cli.observer import TerminalObserver
    from assay.workflows.evaluation.panel import panel as rate_judges

    observer = TerminalObserver(quiet=quiet)
    result = rate_judges(
        ratings,
        humans=split_names(humans),
        judges=split_names(judges),
        item=item,
        rater=rater,
        label=label,
        criterion=criterion,
        run=run,
        time=time,
        rater_kind=rater_kind,
        family=family,
        author=author,
        model_version=model_version,
        length=length,
        weight=weight,
        text=text,
        groups=split_names(groups),
        first=first,
        second=second,
        winner=winner,
        kind=kind,
        levels=split_names(levels),
        scale=scale,
        exclude=split_names(exclude),
        epsilon=epsilon,
        margin=margin,
        scoring=scoring,
        min_items=min_items,
        within=within,
        pass_mark=pass_mark,
        next_items=next_items,
        gate=gate or (),
        gate_ci=gate_ci,
        seed=seed,
        observer=observer,
        command=recorded_command(),
    )
    out = out or Path(f"{ratings.name.split('.')[0]}-panel")
    with observer.stage("wrote"):
        result.write(out, force=force, pdf=pdf)
    say_panel(result, out, as_json=as_json, quiet=quiet)
    if not result.passed:
        raise typer.Exit(1)


def say_panel(result: "PanelResult", out: Path, *, as_json: bool, quiet: bool) -> None:
    """The answer, one row a judge, what was left out, the gates, and where the files are."""
    from assay.cli.text_table import say_lines, say_table
    from assay.report.document.values import plain
    from assay.report.panel.first_screen import cautions, headline

    panel = result.panel
    lines: list[str] = []
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        say_lines([headline(panel), *(f"Caution: {plain(caution)}" for caution in cautions(panel))])
        say_table(_board(result))
        lines += [*_left_out(result), *panel.notices, *_kind(result)]
    for gate in result.gates:
        if not gate.passed or not quiet:
            lines.append(f"gate {gate.gate}: {'passed' if gate.passed else 'FAILED'}; {gate.why}")
    if not quiet:
        lines.append(f"Wrote {out}: report.html, panel.json, tables/. Next: {_next(result)}")
    say_lines(lines, stderr=as_json or quiet)


def _board(result: "PanelResult") -> "TextTable":
    from assay.cli.observer import in_two
    from assay.cli.text_table import TextColumn, TextTable
    from assay.report.document.wording import counted, listed
    from assay.report.panel.first_screen import METRIC

    panel = result.panel
    shown, metric = panel.without or panel.replacement, METRIC[panel.replacement.metric]
    design = panel.design
    counts = (("item", design.items), ("judge", len(design.judges)), ("rating", design.ratings))
    items, judges, ratings = (counted(number, noun) for noun, number in counts)
    title = f"{items}, {counted(len(design.people), 'person', 'people')}, {judges}, {ratings}"
    widest = min(max((len(judge.name) for judge in shown.judges), default=6), 24)
    columns = [
        TextColumn("Judge", wrap=True, least=widest),
        TextColumn(metric, right=True),
        TextColumn("95% CI"),
        TextColumn("Stands in for"),
        TextColumn("May replace a rater?", wrap=True),
    ]
    if panel.without is not None:
        names = listed([person.name for person in panel.replacement.unrelated], 3, "rater")
        columns.append(TextColumn(f"With {names}", wrap=True))
    table = TextTable(title, columns)
    with_all = {judge.name: judge.verdict for judge in panel.replacement.judges}
    cells = ["People", *in_two(shown.ceiling), "", "(ceiling)"]
    table.add_row(*cells, *([""] if panel.without is not None else []))
    for judge in sorted(shown.judges, key=lambda judge: -judge.agreement.value if judge.agreement.defined else 2.0):
        tested = f"{len(judge.test.replaced)} of {len(judge.test.raters)}" if judge.test.raters else "n/a"
        # a reason that all share stands in the headline
        verdict = judge.verdict or (f"n/a: {judge.reason}" if any(one.verdict for one in shown.judges) else "n/a")
        cells = [judge.name, *in_two(judge.agreement), tested, verdict]
        table.add_row(*cells, *([with_all.get(judge.name) or "n/a"] if panel.without is not None else []))
    return table


def _kind(result: "PanelResult") -> list[str]:
    """What labels were taken for, where nobody said so."""
    from assay.report.panel.report import KIND_WORDS

    labels = result.panel.labels
    if labels.declared or labels.kind == "ordered":
        return []
    ordered = " --levels LOW,...,HIGH says that they have an order." if labels.kind == "category" else ""
    return [f"Labels are {KIND_WORDS[labels.kind]}.{ordered if not result.panel.models.preferences else ''}"]


def _left_out(result: "PanelResult") -> list[str]:
    exclusions = result.panel.exclusions
    if not exclusions.left_out:
        return []
    parts = ", ".join(f"{count:,} {reason}" for reason, count in exclusions.left_out.items())
    return [f"Left out of {exclusions.read:,} ratings: {parts}."]


def _next(result: "PanelResult") -> str:
    if not result.panel.design.people:
        return "name the columns or raters that are people with --humans NAME,NAME"
    unrelated = [person.name for person in result.panel.replacement.unrelated]
    if unrelated:
        return f"--exclude {','.join(unrelated)} leaves out who agrees with nobody"
    if not result.gates and result.panel.design.judges:
        return f"--gate '{result.panel.design.judges[0]}.winning_rate>=0.5' fails a build when the judge does"
    return "open report.html"
