"""The one page a demo ends in: what was done with pictures of it, three results to look at, and every report."""

import csv
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from assay import __version__
from assay.errors import install_command
from assay.metrics.intervals import Estimate
from assay.report.document.document import Document, KeyFigure
from assay.report.document.values import SIGNED, Band, Number
from assay.report.document.wording import escaped
from assay.report.render.html import POLICY, STONE, key_figures_html

IMAGE, STUDENT = "street_01.png", "chloe"
TRY = (
    ("Evaluate a scoring engine", "A table with a human score and a system score.", "assay evaluate scores.csv"),
    ("Compare people and LLM judges", "A table of ratings: item, rater, score.", "assay panel ratings.csv"),
    ("Score essays", "A table with a column of texts, or a folder of text files.", "assay essays score essays.csv"),
    ("Grade annotations", "COCO, CVAT, YOLO and other files.", "assay annotations score --truth truth.xml work/"),
)


def write_index(out: Path, *, seconds: float, skipped: Sequence[str]) -> Path:
    """The page, in the folder of the demo whose results it reads."""
    css = "".join(
        resources.files("assay.report.render").joinpath(name).read_text("utf-8") for name in ("report.css", "demo.css")
    )
    index = out / "index.html"
    index.write_text(_page(css, _body(out, seconds, skipped)), encoding="utf-8")
    return index


def _page(css: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>Assay: the demo is done</title>\n<style>\n{css}</style>\n</head>\n<body>\n"
        f'<header class="top">{STONE}<span>Assay</span></header>\n<main class="page demo">\n{body}</main>\n'
        f'<footer class="foot"><p>Invented sample data: no real student, essay or score. Written by <code>assay demo'
        f"</code>, Assay {__version__}, {datetime.now(tz=UTC):%Y-%m-%d %H:%M} UTC.</p></footer>\n</body>\n</html>\n"
    )


def _body(out: Path, seconds: float, skipped: Sequence[str]) -> str:
    done = [f"evaluated {len(_read(out / 'evaluation' / 'engines' / 'comparison.json')['engines'])} engines"]
    if "annotations" not in skipped:
        done.append(f"graded {len(_rows(out / 'annotations' / 'grades' / 'summary.csv'))} annotators")
    if "essays" not in skipped:
        count = sum(bool(row["score"]) for row in _rows(out / "essays" / "scores" / "scores.csv"))
        done.append(f"scored {count} essays and checked those scores against raters")
    words = done[0] if len(done) == 1 else f"{', '.join(done[:-1])} and {done[-1]}"
    cards = [
        _essay_card(out) if "essays" not in skipped else _skipped_card("Score essays", "essays"),
        _annotation_card(out) if "annotations" not in skipped else _skipped_card("Grade annotations", "annotations"),
        _evaluation_card(out, with_essays="essays" not in skipped),
        _trust_card(out) if "essays" not in skipped else _skipped_card("Know what to review", "essays"),
    ]
    figures = key_figures_html(Document(title="", key_figures=tuple(_figures(out, skipped)), figures_note=""))
    tries = "".join(f"<div><b>{a}</b><span class='sub'>{b}</span><code>{c}</code></div>" for a, b, c in TRY)
    return (
        f"<h1>The demo is done</h1>\n<p class='verdict'>Assay {words}, in {seconds:.0f} seconds. "
        f"Everything is on this machine.</p>\n<ol class='cards'>{''.join(cards)}</ol>\n"
        f"<section class='section'><h2>Results to look at</h2><p>Value, 95% CI, and the range it should lie in.</p>"
        f"{figures}</section>\n<section class='section'><h2>Try it on your own files</h2>"
        f"<p>In a browser: <code>assay serve</code>.</p><div class='try'>{tries}</div></section>\n"
        f"<section class='section'><h2>Reports</h2><table><thead><tr><th scope='col'>File</th><th scope='col'>Contents"
        f"</th><th scope='col' class='n'>Size</th></tr></thead><tbody>{''.join(_files(out))}</tbody></table>"
        "</section>\n"
    )


def _card(number: int, title: str, words: str, picture: str, alt: str, links: Sequence[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="{href}">{escaped(name)}</a></li>' for href, name in links)
    return (
        f'<li class="card"><a class="thumb" href="{links[0][0]}"><svg viewBox="0 0 240 150" role="img" '
        f'aria-label="{escaped(alt)}">{picture}</svg></a><div class="in">'
        f'<h2><span class="no">{number}</span>{title}</h2>'
        f"<p>{escaped(words)}</p><ul>{items}</ul></div></li>"
    )


def _skipped_card(title: str, extra: str) -> str:
    how = escaped(install_command(extra))
    words = f"Skipped: not installed.<br><code>{how}</code>"
    return f'<li class="card off"><div class="in"><h2>{title}</h2><p>{words}</p></div></li>'


_SHEET = '<rect class="sheet" x="0" y="0" width="240" height="170" rx="5"/>'


def _essay_card(out: Path) -> str:
    scores = _rows(out / "essays" / "scores" / "scores.csv")
    learned, row = len(_rows(out / "essays" / "input" / "scored.csv")), scores[0]
    shares = {name[6:]: float(value) for name, value in row.items() if name.startswith("share_") and value}
    top = sorted(shares.items(), key=lambda pair: -pair[1])[:5]
    most = top[0][1] or 1.0
    bars = "".join(
        f'<text class="s" x="14" y="{74 + 17 * i}">{escaped(name.replace("_", " "))}</text>'
        f'<rect class="bar" x="110" y="{66 + 17 * i}" width="{112 * max(value, 0) / most:.1f}" height="9"/>'
        for i, (name, value) in enumerate(top)
    )
    score, low, high = (float(row[name]) for name in ("score", "low", "high"))
    head = (
        f'<text x="14" y="22">Essay {escaped(row["id"])}</text><text class="big" x="14" y="52">{score:.0f}</text>'
        f'<text class="s" x="36" y="51">of 6, likely {low:.0f} to {high:.0f}; what made it</text>'
    )
    links = [("essays/scores/report.html", "Essay scores"), ("essays/scores/scores.csv", "Scores as a table")]
    words = f"A model learned from {learned} essays and read {len(scores)} more: a score with its reasons, or why not."
    return _card(1, "Score essays", words, _SHEET + head + bars, "The score of an essay and what made it", links)


def _annotation_card(out: Path) -> str:
    folder = out / "annotations" / "input"
    picture = b64encode((folder / "images" / IMAGE).read_bytes()).decode()
    boxes = "".join(
        f'<rect class="{style}" x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}"/>'
        for style, file in (("truth", folder / "truth.xml"), ("drawn", folder / "submissions" / f"{STUDENT}.xml"))
        for x, y, w, h in _boxes(file)
    )
    svg = (
        f'<svg x="0" y="0" width="240" height="150" viewBox="0 130 340 212">'
        f'<image href="data:image/png;base64,{picture}" width="640" height="360"/>{boxes}</svg>'
    )
    links = [("annotations/grades/report.html", "Grades of all students")]
    if student := sorted((out / "annotations" / "grades").rglob(f"*{STUDENT}*.html")):
        links.append((student[0].relative_to(out).as_posix(), f"What {STUDENT} reads"))
    links.append(("annotations/agreement/report.html", "Agreement without a ground truth"))
    words = "Boxes and outlines against a ground truth; every point lost is explained. One broken file is named."
    return _card(2, "Grade annotations", words, svg, "A street: ground truth in blue, a student's boxes dashed", links)


def _boxes(path: Path) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of a CVAT file on the image shown."""
    for image in ElementTree.parse(path).getroot().iter("image"):
        for box in image.iter("box") if image.get("name") == IMAGE else ():
            left, top, right, bottom = (float(box.get(name, 0)) for name in ("xtl", "ytl", "xbr", "ybr"))
            yield left, top, right - left, bottom - top


_WORDS = {"qwk": "Agreement", "r": "Correlation", "smd": "Mean bias", "degradation_qwk": "Second rater"} | {
    "largest_dsm": "Groups"
}


def _evaluation_card(out: Path, *, with_essays: bool) -> str:
    judged = {one["name"]: one for one in _read(out / "evaluation" / "engine_a" / "evaluation.json")["judgements"]}
    rows = "".join(
        f'<text class="s" x="14" y="{46 + 21 * i}">{words}</text>'
        f'<text x="104" y="{46 + 21 * i}">{judged[name]["estimate"]["value"]:.2f}</text>'
        f'<text class="{_tone(judged[name]["verdict"])}" x="228" y="{46 + 21 * i}" text-anchor="end">'
        f"{judged[name]['verdict']}</text>"
        f'<line class="rule" x1="14" x2="228" y1="{52 + 21 * i}" y2="{52 + 21 * i}"/>'
        for i, (name, words) in enumerate(_WORDS.items())
        if name in judged
    )
    links = [
        ("evaluation/engine_a/report.html", "Engine A"),
        ("evaluation/engines/report.html", "Three engines compared"),
    ]
    links += [("essays/evaluation/report.html", "The essay scores of step 1")] if with_essays else []
    words = "Agreement with people, bias, fairness to groups: every figure with its interval and a verdict."
    head = '<text x="14" y="22">Engine A against three raters</text>'
    return _card(3, "Evaluate the scores", words, _SHEET + head + rows, "Five figures with verdicts", links)


def _tone(verdict: str | None) -> str:
    return "s" if verdict is None else "met" if verdict == "met" else "not" if verdict == "not met" else "unsure"


def _trust_card(out: Path) -> str:
    trust = _read(out / "essays" / "trust" / "trust.json")
    rows = "".join(
        f'<text x="14" y="{82 + 20 * i}">{escaped(one["name"])}</text>'
        f'<text class="s" x="56" y="{82 + 20 * i}">{escaped(str(one["why"]).partition(";")[0][:32])}</text>'
        for i, one in enumerate(trust["next"][:4])
    )
    head = (
        f'<text class="big" x="14" y="36">{trust["reviewed"]}</text><text class="s" x="50" y="35">reviewed, '
        f'{trust["waiting"]} waiting</text><text class="s" x="14" y="60">Review next</text>'
    )
    links = [("essays/trust/report.html", "How far to trust the rest")]
    words = "A teacher read two thirds of the essays: what that proves, how many more are needed, which to read next."
    return _card(4, "Know what to review", words, _SHEET + head + rows, "Reviews so far and what to review next", links)


def _figures(out: Path, skipped: Sequence[str]) -> Iterator[KeyFigure]:
    if "essays" not in skipped:
        own = _read(out / "essays" / "evaluation" / "evaluation.json")
        note = f"QWK on {own['n']} essays the model had not seen, at least 0.70"
        yield _judged(own, "qwk", "Agreement of the essay model with raters", note, Number(2))
    compared = _read(out / "evaluation" / "engines" / "comparison.json")
    one = next(d for d in compared["differences"] if (d["metric"], d["second"]) == ("qwk", "engine_b"))
    estimate = _estimate(one["estimate"])
    name = "Agreement of engine A minus that of engine B"
    band, verdict = Band(least=0.0), "met" if estimate.low > 0 else "met, uncertain" if estimate > 0 else "not met"
    yield KeyFigure(name, "QWK, A minus B, same responses", estimate, band, verdict, SIGNED)  # type: ignore[arg-type]
    engine = _read(out / "evaluation" / "engine_a" / "evaluation.json")
    yield _judged(
        engine, "largest_dsm", "Fairness of engine A to groups", "Largest difference of a group, within ±0.10", SIGNED
    )


def _judged(evaluation: dict[str, Any], name: str, title: str, note: str, number: Number) -> KeyFigure:
    one = next(judgement for judgement in evaluation["judgements"] if judgement["name"] == name)
    band = Band(least=one["threshold"]["least"], most=one["threshold"]["most"])
    return KeyFigure(title, note, _estimate(one["estimate"]), band, one["verdict"], number)


def _estimate(content: dict[str, float]) -> Estimate:
    return Estimate(content["value"], content["low"], content["high"])


def _files(out: Path) -> Iterator[str]:
    """A row for every report, with its title and verdict."""
    for path in sorted(out.rglob("report.html")):
        text = path.read_text(encoding="utf-8")
        title = re.search(r"<h1>(.*?)</h1>", text, re.DOTALL)
        lead = re.search(r'<p class="verdict">\s*<strong>(.*?)</strong>', text, re.DOTALL)
        words = ". ".join(match[1].rstrip(".") for match in (title, lead) if match)
        name = path.relative_to(out).as_posix()
        size = f"{path.stat().st_size / 1000:,.0f} kB"
        yield f'<tr><th scope="row"><a href="{name}">{name}</a></th><td>{words}</td><td class="n">{size}</td></tr>'


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
