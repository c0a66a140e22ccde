"""The documentation as a web site: docs/**/*.md -> HTML, with every link checked.

    python docs/build.py site

A folder is a chapter with an `index.md`. The order of its links to its pages and folders is that of the navigation;
pages it does not link to follow by name. A link or an anchor that leads nowhere is an error, and so is a picture that
is not there or has no words for those who do not see it.
"""

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCS = Path(__file__).resolve().parent
TOKENS_FROM = DOCS.parent / "src" / "assay" / "report" / "render" / "report.css"

FIRST = PurePosixPath("index.md")
_ELSEWHERE = re.compile(r"[a-z]+:|//")


class BrokenDocs(Exception):
    """Links that lead nowhere, or a folder without an index."""


@dataclass(frozen=True, eq=False, slots=True)
class Page:
    """One Markdown file, parsed."""

    path: PurePosixPath
    """From the docs folder."""
    title: str
    tokens: Sequence[Token]
    anchors: frozenset[str]
    links: tuple[str, ...]
    pictures: tuple[tuple[str, str], ...] = ()
    """Address and words of each."""

    @property
    def folder(self) -> PurePosixPath:
        return self.path.parent

    def target(self, link: str) -> tuple[PurePosixPath, str]:
        """The file a link leads to, from the docs folder, and the anchor in it."""
        path, _, anchor = link.partition("#")
        return PurePosixPath(os.path.normpath(self.folder / path)) if path else self.path, anchor


def parsed(path: PurePosixPath, text: str) -> Page:
    """The page with an id on every heading."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    anchors: dict[str, int] = {}
    title = ""
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            slug = slug_of(content.content)
            anchors[slug] = anchors.get(slug, 0) + 1
            token.attrSet("id", slug if anchors[slug] == 1 else f"{slug}-{anchors[slug] - 1}")
            title = title or plain_text(content)
    ids = frozenset(str(token.attrGet("id")) for token in tokens if token.type == "heading_open")
    return Page(path, title or str(path), tokens, ids, tuple(_links(tokens)), tuple(_pictures(tokens)))


def slug_of(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it.

    >>> slug_of("What `--gate` means, exactly")
    'what---gate-means-exactly'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def plain_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def _links(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        for child in token.children or []:
            href = child.attrGet("href")
            if child.type == "link_open" and isinstance(href, str) and not _ELSEWHERE.match(href):
                yield href


def _pictures(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for token in tokens:
        for child in token.children or []:
            if child.type == "image":
                yield str(child.attrGet("src")), child.content


def read_pages(docs: Path) -> dict[PurePosixPath, Page]:
    found = {}
    for file in sorted(docs.rglob("*.md")):
        path = PurePosixPath(file.relative_to(docs).as_posix())
        found[path] = parsed(path, file.read_text(encoding="utf-8"))
    return found


def map_ordered(pages: dict[PurePosixPath, Page], index: PurePosixPath = FIRST) -> list[Page]:
    """All pages as the navigation has them: each chapter's index, then its pages in the order it links to them."""
    if index not in pages:
        raise BrokenDocs(f"The folder {index.parent} has no index.md: give it one.")
    linked = [pages[index].target(link)[0] for link in pages[index].links]
    folders = {path.parent / "index.md" for path in pages if path.parent.parent == index.parent != path.parent}
    here = [path for path in pages if path.parent == index.parent and path != index]
    found = [pages[index]]
    for path in dict.fromkeys([*linked, *here, *sorted(folders)]):
        if path in folders:
            found += map_ordered(pages, path)
        elif path in here:
            found.append(pages[path])
    return found


def problems(pages: dict[PurePosixPath, Page]) -> Iterator[str]:
    """Every link that leads nowhere, a sentence each."""
    for page in pages.values():
        for link in page.links:
            path, anchor = page.target(link)
            if path not in pages:
                yield f"{page.path}: the link {link!r} leads to no page."
            elif anchor and anchor not in pages[path].anchors:
                yield f"{page.path}: the link {link!r} names no heading of {path}."


def picture_problems(pages: dict[PurePosixPath, Page], docs: Path) -> Iterator[str]:
    """Every picture that is not there or has no words, a sentence each."""
    for page in pages.values():
        for address, words in page.pictures:
            if not (docs / page.target(address)[0]).is_file():
                yield f"{page.path}: the picture {address!r} is not there."
            if not words.strip():
                yield f"{page.path}: the picture {address!r} has no words: ![what it shows]({address})."


def to_html(page: Page, ordered: Sequence[Page]) -> str:
    """One page with navigation, and links to the pages before and after."""
    here = ordered.index(page)
    before = ordered[here - 1] if here else None
    after = ordered[here + 1] if here + 1 < len(ordered) else None
    up = "../" * len(page.folder.parts)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(page.title)} · Assay</title><link rel="stylesheet" href="{up}site.css"></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header class="top"><a href="{up}index.html">Assay</a> <span>documentation</span>
<a class="menu" href="#pages">All pages</a></header>
<div class="columns"><nav class="side" id="pages" aria-label="All pages">{_navigation(page, ordered)}</nav>
<main id="content" tabindex="-1">{_body(page)}
<nav class="around" aria-label="Previous and next page">
{_step(page, before, "Previous")}{_step(page, after, "Next")}</nav>
</main></div></body></html>
"""


def _navigation(page: Page, ordered: Sequence[Page]) -> str:
    """A list of the top pages and chapters; the chapters that hold the page are open."""
    top = PurePosixPath(".")
    rows = [_row(page, p) for p in ordered if p.folder == top and p.path.name == "index.md"]
    for entry in ordered[1:]:
        if entry.folder == top:
            rows.append(_row(page, entry))
        elif entry.path.name == "index.md" and entry.folder.parent == top:
            rows.append(_chapter(page, entry, ordered))
    return f"<ul>{''.join(rows)}</ul>"


def _chapter(page: Page, index: Page, ordered: Sequence[Page]) -> str:
    rows = []
    for entry in ordered:
        if entry.folder == index.folder:
            rows.append(_row(page, entry))
        elif entry.path.name == "index.md" and entry.folder.parent == index.folder:
            rows.append(_chapter(page, entry, ordered))
    opened = " open" if index.folder in page.path.parents else ""
    name = html.escape(index.title)
    return f"<li><details{opened}><summary>{name}</summary><ul>{''.join(rows)}</ul></details></li>"


def _row(page: Page, entry: Page) -> str:
    current = ' aria-current="page"' if entry is page else ""
    title = "Overview" if entry.path.name == "index.md" else html.escape(entry.title)
    return f'<li><a href="{_href(page, entry)}"{current}>{title}</a></li>'


def _step(page: Page, other: Page | None, word: str) -> str:
    if other is None:
        return "<span></span>"
    return f'<a href="{_href(page, other)}"><span>{word}</span> {html.escape(other.title)}</a>'


def _href(page: Page, other: Page) -> str:
    return PurePosixPath(os.path.relpath(other.path.with_suffix(".html"), page.folder)).as_posix()


def _body(page: Page) -> str:
    for token in page.tokens:
        for child in token.children or []:
            href = child.attrGet("href")
            if child.type == "link_open" and isinstance(href, str) and not _ELSEWHERE.match(href):
                child.attrSet("href", re.sub(r"\.md(?=#|$)", ".html", href))
            if child.type == "image":
                child.attrSet("loading", "lazy")
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    text = str(markdown.renderer.render(page.tokens, markdown.options, {}))
    text = text.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    text = text.replace("<pre>", '<pre tabindex="0">')
    return re.sub(
        r"^((?:<pre[^>]*><code[^>]*>)?)(\$ .*)$", r'\1<span class="typed">\2</span>', text, flags=re.MULTILINE
    )


def style() -> str:
    """The look: the colours and sizes of the reports, and the layout of the site."""
    tokens, found, _ = TOKENS_FROM.read_text(encoding="utf-8").partition("\n*, *::before")
    if not found:
        raise BrokenDocs(f"{TOKENS_FROM.name} has changed: its tokens no longer end before the rule for '*'.")
    return f"{tokens}\n{(DOCS / 'site.css').read_text(encoding='utf-8')}"


def build(docs: Path, site: Path) -> int:
    """Write the site and say how many pages it has. BrokenDocs lists everything that leads nowhere."""
    pages = read_pages(docs)
    ordered = map_ordered(pages)
    if broken := [*problems(pages), *picture_problems(pages, docs)]:
        raise BrokenDocs("\n".join(broken))
    shutil.rmtree(site, ignore_errors=True)
    for page in ordered:
        file = site / page.path.with_suffix(".html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(to_html(page, ordered), encoding="utf-8")
        for picture in {page.target(address)[0] for address, _ in page.pictures}:
            (site / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(docs / picture, site / picture)
    (site / "site.css").write_text(style(), encoding="utf-8")
    return len(ordered)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Say where the site is to be written: python docs/build.py site")
    try:
        count = build(DOCS, Path(sys.argv[1]))
    except BrokenDocs as problem:
        sys.exit(f"The documentation is broken:\n{problem}")
    print(f"{count} pages in {sys.argv[1]}: open {Path(sys.argv[1]) / 'index.html'}")


if __name__ == "__main__":
    main()
