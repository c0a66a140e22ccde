"""`assay judge`: a language model rates items by a rubric."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.evaluation import AsJson, Force, Pdf, Quiet, recorded_command, split_names
from assay.cli.observer import TerminalObserver, asking

if TYPE_CHECKING:
    from assay.workflows.evaluation.judge_result import JudgeResult


def judge(
    items: Annotated[Path, typer.Argument(help="Table with a row per item, or a folder of .txt files.")],
    rubric: Annotated[Path, typer.Option(help="Criteria, levels and examples: a TOML file.")],
    model: Annotated[str, typer.Option(help="Name of the model at that address.")],
    base_url: Annotated[
        str | None, typer.Option(help="Base address of an OpenAI-compatible server; ASSAY_LLM_URL without it.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="Column with the text to judge.")] = None,
    id: Annotated[str | None, typer.Option("--id", help="Column that names the item; row numbers without it.")] = None,
    context: Annotated[
        str | None, typer.Option(help="Columns shown beside the text, separated by commas: question,reference.")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="How often each item is judged.")] = 1,
    rater: Annotated[str | None, typer.Option(help="Name of the judge in the table; the model's without it.")] = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Measure how often text planted in an item moves its score.")
    ] = False,
    probe_items: Annotated[int, typer.Option(min=1, help="Items to plant text in.")] = 20,
    temperature: Annotated[float | None, typer.Option(help="In place of the rubric's.")] = None,
    price_in: Annotated[float | None, typer.Option(help="Price of a million tokens sent.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Price of a million tokens received.")] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Requests at the same time.")] = 4,
    per_minute: Annotated[float | None, typer.Option(help="Most requests a minute.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for each answer.")] = 60,
    cache: Annotated[
        Path | None, typer.Option(help="File that keeps every answer; beside the folder of results without it.")
    ] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow unencrypted HTTP to another machine.")] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Send without asking.")] = False,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let a language model rate items by a rubric, and keep the ratings as a table that compares raters.

    Before anything is sent it says to whom, how much and at what cost. Answers are kept: run it again after a crash to
    go on; a second run sends nothing. A key is read from ASSAY_LLM_KEY, and never written anywhere.

    Example: assay judge answers.csv --text answer --context question --rubric rubric.toml --model gpt-4o-mini
    --base-url https://api.openai.com/v1 --runs 3 --out ratings
    """
    from assay.workflows.evaluation.judge import judge as judge_items

    folder = out or Path(f"{items.name.split('.')[0]}-judge")
    result = judge_items(
        items,
        rubric=rubric,
        model=model,
        base_url=base_url,
        text=text,
        id=id,
        context=split_names(context),
        runs=runs,
        rater=rater,
        probe=probe,
        probe_items=probe_items,
        temperature=temperature,
        price_in=price_in,
        price_out=price_out,
        parallel=parallel,
        per_minute=per_minute,
        timeout=timeout,
        cache=cache or folder.with_name(f"{folder.name}.answers.jsonl"),
        insecure=insecure,
        yes=yes,
        confirm=asking(),
        observer=TerminalObserver(quiet=quiet),
        command=recorded_command(),
    )
    result.write(folder, force=force, pdf=pdf)
    say_ratings(result, folder, as_json=as_json, quiet=quiet)


def say_ratings(result: "JudgeResult", out: Path, *, as_json: bool, quiet: bool) -> None:
    """What was rated, what it took, and where the files are."""
    from assay.cli.observer import console
    from assay.report.evaluation.judge_report import usage_words

    if as_json:
        print(result.json(), end="")
    if quiet:
        return
    screen = console(stderr=as_json)
    lines = []
    if not as_json:
        heading, *facts = result.summary()
        lines += [f"{heading[0]} {heading[1]}", *(f"  {name}: {value}" for name, value in facts)]
    sent = usage_words(result.sent, result.rubric.prices) if result.sent.requests else "nothing, all was in the cache"
    lines += [f"Sent in this run: {sent}.", f"Wrote {out}: ratings.csv, report.html, judge.json"]
    for line in lines:
        screen.print(line, markup=False, soft_wrap=True)
