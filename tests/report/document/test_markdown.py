"""Markdown of a user's own as blocks of a report; nothing in it is more than text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.document.document import Document, Note, Paragraph, Subheading
from assay.report.document.markdown import own_section, spans
from assay.report.document.values import Code, Strong, Table
from assay.report.render.html import to_html

TEXT = """# What we decided

We keep **all** of `engine_a`,
as *agreed*.

## Why

- It is fair,
  and fast
- It is cheap
1. First

> Mind the gap.

| Group | N |
|---|---:|
| A | 12 |
| B |

```python
print("<b>")
```

---
<script>alert(1)</script>
"""


def test_each_kind_of_block_is_set() -> None:
    section = own_section("notes", TEXT)
    kinds = [type(block) for block in section.blocks]
    assert section.title == "What we decided"
    assert section.blocks[0] == Paragraph(("We keep ", Strong("all"), " of ", Code("engine_a"), ", as agreed."))
    assert kinds[1:] == [Subheading, Paragraph, Paragraph, Paragraph, Note, Table, Paragraph, Paragraph]
    assert section.blocks[2] == Paragraph(("\u2003\u2022 ", "It is fair, and fast"))
    table = section.blocks[6]
    assert isinstance(table, Table)
    assert [column.title for column in table.columns] == ["Group", "N"]
    assert table.rows == ((("A",), ("12",)), (("B",), ()))
    assert section.blocks[7] == Paragraph((Code('print("<b>")'),))


def test_raw_html_is_text() -> None:
    page = to_html(Document("T", sections=(own_section("notes", TEXT + "\n\n[x](javascript:alert(1))"),)))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert 'href="javascript' not in page


def test_a_section_without_a_heading_bears_the_name_of_its_file() -> None:
    assert own_section("my_notes", "Text.").title == "My notes"
    assert own_section("n", "").blocks == (Paragraph("This section is empty."),)


def test_links_show_where_they_lead_and_escapes_are_letters() -> None:
    assert spans("see [this](https://a.example/b)") == ("see this (https://a.example/b)",)
    assert spans(r"2 \* 3 = 6") == ("2 * 3 = 6",)
    assert spans("snake_case_name and 2*3*4") == ("snake_case_name and 2*3*4",)


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet=st.sampled_from("#*_`|->[]()!\\ \n\tab1.~<&"), max_size=120))
def test_any_text_becomes_a_page(text: str) -> None:
    assert to_html(Document("T", sections=(own_section("n", text),)))


def test_a_long_text_of_anything_takes_no_longer_than_its_length() -> None:
    # each of these took minutes with a pattern that looked at a line again from every place in it
    for text in (
        "# " + " " * 200_000 + "x",
        "a |\n" + " " * 200_000 + "x",
        "#" * 200_000,
        "**a" * 60_000,
        "a\n\n" * 60_000,
    ):
        assert own_section("n", text).blocks
