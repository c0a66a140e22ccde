"""A list of advice as HTML; the numbers of notes are links to them."""

from assay.report.document.advice_list import AdviceItem, AdviceList
from assay.report.document.printable import escaped

MOST_LINKS = 30


def advice_html(advice: AdviceList) -> str:
    """An ordered or a ticked list."""
    items = "".join(f"<li><div>{_item(item)}</div></li>" for item in advice.items)
    if not advice.numbered:
        return f'<ul class="advice plain">{items}</ul>'
    return f'<ol class="advice" start="{advice.first}" style="counter-reset:advice {advice.first - 1}">{items}</ol>'


def _item(item: AdviceItem) -> str:
    do = f"<p>{escaped(item.do)}</p>" if item.do else ""
    quotes = "".join(f"<blockquote>{escaped(quote)}</blockquote>" for quote in item.quotes)
    return f'<h3>{escaped(item.title)}</h3> <p class="why">{escaped(item.why)}</p>{do}{quotes}{_where(item.notes)}'


def _where(notes: tuple[int, ...]) -> str:
    if not notes:
        return ""
    links = ", ".join(f'<a href="#n{number}">{number}</a>' for number in notes[:MOST_LINKS])
    more = f" and {len(notes) - MOST_LINKS:,} more" if len(notes) > MOST_LINKS else ""
    return f'<p class="at">{"Notes" if len(notes) > 1 else "Note"} {links}{more}</p>'
