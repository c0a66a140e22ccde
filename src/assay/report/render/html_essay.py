"""Feedback on an essay as HTML: its text with notes, and lists of advice whose numbers link to them."""

from assay.report.document import document as doc
from assay.report.document.wording import escaped

SEEN = 60
"""Letters of a quotation in a note."""


def essay_html(essay: doc.AnnotatedEssay) -> str:
    """The key, the prompt, and each paragraph with its notes."""
    counts = "".join(
        f'<li><span class="mark {kind}">{kind.capitalize()}</span> {count:,}</li>' for kind, count in essay.counts
    )
    prompt = f'<p class="asked small"><b>Prompt.</b> {escaped(essay.prompt)}</p>' if essay.prompt else ""
    marked: set[int] = set()
    paragraphs = "\n".join(
        f'<div class="para">{"".join(_stretch(stretch, marked) for stretch in paragraph.stretches)}</div>'
        for paragraph in essay.paragraphs
    )
    # beside the text on a wide screen, in a box that scrolls by itself; below it on others
    listed = "".join(_note(note) for note in essay.notes)
    notes = f'<ol class="notes" tabindex="0" role="list" aria-label="Notes">{listed}</ol>' if essay.notes else ""
    return (
        f'<article class="essay" aria-label="{escaped(essay.title)}">'
        f'<ul class="kinds" aria-label="Notes of each kind">{counts}</ul>'
        f'<div class="work"><div class="prose">{prompt}{paragraphs}</div>{notes}</div></article>'
    )


def _stretch(stretch: doc.TextSpan, marked: set[int]) -> str:
    main = " main" if stretch.key else ""
    hint = f' title="{escaped(stretch.hint)}"' if stretch.hint else ""
    said = f'<span{hint}>{escaped(stretch.label)}</span><span class="vh">: </span>' if stretch.label else ""
    pieces = "".join(_piece(piece, marked) for piece in stretch.pieces)
    return f'<div class="stretch"><div class="lab{main}">{said}</div><p lang="en" dir="auto">{pieces}</p></div>'


def _piece(piece: doc.TextPiece, marked: set[int]) -> str:
    """Marked letters wear the mark of the nearest note, that about the fewest words; hovering explains all."""
    words = escaped(piece.text)
    numbers = "".join(_number(number, marked) for number in piece.numbers)
    if not piece.about:
        return f"{words}{numbers}"
    nearest = min(piece.about, key=lambda note: (len(note.words), note.number))
    lines = []
    for note in piece.about:
        instead = f" Instead: {note.instead}" if note.instead else ""
        lines += [escaped(line) for line in f"{note.number}. {note.title}: {note.says}{instead}".split("\n")]
    return f'<span class="mark {nearest.kind}" title="{"&#10;".join(lines)}">{words}</span>{numbers}'


def _number(number: int, marked: set[int]) -> str:
    """The link to the note; the first for each note can be linked to."""
    anchor = "" if number in marked else f' id="m{number}"'
    marked.add(number)
    return f'<sup><a href="#n{number}"{anchor}><span class="vh">note </span>{number}</a></sup>'


def _note(note: doc.EssayNote) -> str:
    sure = f' <span class="sure">{escaped(note.sure)}</span>' if note.sure else ""
    arrow = '<span aria-hidden="true">→</span><span class="vh">instead:</span>'
    instead = f' <span class="instead">{arrow} {escaped(note.instead)}</span>' if note.instead else ""
    quoted = note.words if len(note.words) <= SEEN else f"{note.words[: SEEN - 1].rstrip()}…"
    return (
        f'<li id="n{note.number}"><span class="i">{note.number}</span><div><b>{escaped(note.title)}</b> '
        f'<span class="kind {note.kind}">{note.kind}</span><br>'
        f'<a href="#m{note.number}">“{escaped(quoted)}”</a>{instead}'
        f'<span class="says">{escaped(note.says)}{sure}</span></div></li>'
    )


def _example(example: doc.QuotedExample) -> str:
    """The sentence, the words in question marked, and what could stand there."""
    around = bool(example.before or example.after)
    words = f"<b>{escaped(example.words)}</b>" if around else escaped(example.words)
    arrow = '<span aria-hidden="true">→</span><span class="vh">instead:</span>'
    instead = f'<span class="instead">{arrow} {escaped(example.instead)}</span>' if example.instead else ""
    asked = f'<span class="asks">{escaped(example.question)}</span>' if example.question else ""
    return f"<blockquote>{escaped(example.before)}{words}{escaped(example.after)} {instead}{asked}</blockquote>"


MOST_LINKS = 30


def advice_html(advice: doc.AdviceList) -> str:
    """An ordered or a ticked list."""
    items = ""
    for item in advice.items:
        do = f"<p>{escaped(item.do)}</p>" if item.do else ""
        quotes = "".join(f"<blockquote>{escaped(quote)}</blockquote>" for quote in item.quotes)
        quotes += _example(item.example) if item.example else ""
        links = ", ".join(f'<a href="#n{number}">{number}</a>' for number in item.notes[:MOST_LINKS])
        more = f" and {len(item.notes) - MOST_LINKS:,} more" if len(item.notes) > MOST_LINKS else ""
        where = f'<p class="at">{"Notes" if len(item.notes) > 1 else "Note"} {links}{more}</p>' if item.notes else ""
        why = f'<h3>{escaped(item.title)}</h3> <p class="why">{escaped(item.why)}</p>'
        items += f"<li><div>{why}{quotes}{do}{where}</div></li>"
    if not advice.numbered:
        return f'<ul class="advice plain">{items}</ul>'
    return f'<ol class="advice" start="{advice.first}" style="counter-reset:advice {advice.first - 1}">{items}</ol>'
