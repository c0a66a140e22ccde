"""Measure Assay beside the tools people use today, in one run, and write docs/benchmarks.md.

python -m benchmarks                        everything, for the page: about an hour, 2 GB of disk
python -m benchmarks essays web             these parts only; the page keeps what the others found last
python -m benchmarks --quick                under two minutes: beside the ratios recorded last, what got slower?
python -m benchmarks --quick --record       ... and record them

Peers get environments of their own in .peers/, made on the first run. Ends with 1 when a promise is broken or, with
--quick, when something is slower than recorded by more than a quarter, measured twice.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import (
    bench_annotations,
    bench_cluster,
    bench_essays,
    bench_evaluate,
    bench_panel,
    bench_rsm,
    bench_web,
)
from benchmarks.curves import growth_picture
from benchmarks.page import Effort, Figure, Page, Record, judged, plain

PARTS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "evaluation": ("Evaluation", bench_evaluate.measure),
    "panel": ("Panels of raters", bench_panel.measure),
    "annotations": ("Annotations", bench_annotations.measure),
    "essays": ("Essays", bench_essays.measure),
    "models": ("Models on feature tables", bench_rsm.measure),
    "web": ("The web app", bench_web.measure),
    "cluster": ("All cores and a cluster", bench_cluster.measure),
}
"""Name of a part -> its heading and what measures it."""

DOCS = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
QUICK = "quick"
SLOWER = 1.25

INTRODUCTION = """# Benchmarks

How fast Assay is, how much memory it takes and how both grow, beside the tools people use today: in the same run, on
the same input. Read the ratios, since seconds depend on the machine; processor time (CPU) is steadier than the clock on
a machine that does other things, too. A call is repeated and the least counts, since whatever disturbs a run only adds.

```sh
make bench          # all of it, about an hour; writes this page
make bench-quick    # under two minutes: the main ratios beside those recorded last, and what got slower
python -m benchmarks essays    # one part: {parts}
```

The first run makes environments for the other tools in `.peers/`. Scores, tables and long essays are made up from fixed
seeds; essays and outlines come from corpora where these lie beside the project, else they are made up too, and the part
says which.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; 1 when a promise is broken or something got slower."""
    options = _parser().parse_args(arguments)
    chosen = options.parts or list(PARTS)
    if options.quick:
        return quick(chosen, record=options.record, peers=not options.no_peers)
    records = {}
    for name in chosen:
        records[name] = _measured(name, Effort.WHOLE, peers=not options.no_peers)
        records[name].write(name)
        write_docs()
    return 0 if all(figure.kept for record in records.values() for figure in record.figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=f"of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="the main ratios, beside those recorded last")
    parser.add_argument("--record", action="store_true", help="with --quick: record what is found")
    parser.add_argument("--no-peers", action="store_true", help="leave the other tools out")
    return parser


def _measured(name: str, effort: Effort, *, peers: bool) -> Record:
    page = Page(effort, peers)
    print(f"## {PARTS[name][0]}\n", flush=True)
    PARTS[name][1](page)
    return Record.of(page)


def write_docs() -> None:
    """docs/benchmarks.md from what was recorded last of every part."""
    parts = [INTRODUCTION.format(parts=", ".join(PARTS))]
    for name, (title, _) in PARTS.items():
        record = Record.read(name)
        if record is None:
            continue
        versions = ", ".join(f"{package} {number}" for package, number in record.versions.items())
        measured = fill(f"Measured on {record.made}: {record.machine}; {versions}.", 120, break_on_hyphens=False)
        parts += [f"## {title}", measured, record.markdown]
        if record.curve:
            picture = Path("images") / f"growth-{name}.svg"
            (DOCS.parent / "images").mkdir(exist_ok=True)
            (DOCS.parent / picture).write_text(growth_picture(record.curve_of, record.curve), encoding="utf-8")
            parts.append(f"![Time and memory against the number of {record.curve_of}]({picture.as_posix()})")
        parts += ["\n".join(judged(record.figures))] if judged(record.figures) else []
    DOCS.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def quick(names: Sequence[str], *, record: bool, peers: bool) -> int:
    """The main ratios beside those recorded last; a part with one that got slower is measured again."""
    before = Record.read(QUICK)
    known = {figure.name: figure for figure in before.figures} if before else {}
    found: Record | None = None
    for name in names:
        part = _measured(name, Effort.QUICK, peers=peers)
        if any(_slower(figure, known) for figure in part.figures):
            part = _better(part, _measured(name, Effort.QUICK, peers=peers))
        found = part if found is None else found.joined(part)
    figures = found.figures if found else ()
    print("\n".join(compared(figures, known)))
    if record and found:
        found.write(QUICK)
    return 1 if any(_slower(figure, known) for figure in figures) else 0


def compared(figures: Sequence[Figure], known: dict[str, Figure]) -> list[str]:
    """Each figure beside the recorded one, as rows of a table."""
    rows = ["| figure | recorded | now | |", "|---|---|---|---|"]
    for figure in figures:
        old = known.get(figure.name)
        verdict = "new" if old is None else "SLOWER" if _slower(figure, known) else ""
        rows.append(f"| {figure.name} | {plain(old.found) if old else ''} | {plain(figure.found)} | {verdict} |")
    return rows


def _slower(figure: Figure, known: dict[str, Figure]) -> bool:
    old = known.get(figure.name)
    return old is not None and figure.worse_than(old) > SLOWER


def _better(first: Record, second: Record) -> Record:
    """The better figure of two runs."""
    best = tuple(a if a.worse_than(b) < 1 else b for a, b in zip(first.figures, second.figures, strict=True))
    return Record(second.markdown, best, second.made, second.machine, second.versions)


if __name__ == "__main__":
    raise SystemExit(main())
