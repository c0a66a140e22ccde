"""The documentation builds into a site on which every link leads somewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs.build import DOCS, BrokenDocs, build, slug_of


class Links(HTMLParser):
    """The links, ids, scripts and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        self.links += [v for k, v in attrs if k in ("href", "src") and v]
        if found.get("id"):
            self.ids.add(str(found["id"]))


def parsed(file: Path) -> Links:
    links = Links()
    links.feed(file.read_text(encoding="utf-8"))
    return links


def test_the_site_builds_and_every_link_of_the_html_leads_to_a_file_and_a_heading(tmp_path: Path) -> None:
    count = build(DOCS, tmp_path / "site")

    pages = {file.resolve(): parsed(file) for file in (tmp_path / "site").rglob("*.html")}
    assert count == len(pages) == len(list(DOCS.rglob("*.md")))
    for file, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            assert target.exists(), f"{file.name}: {link}"
            assert not anchor or anchor in pages[target].ids, f"{file.name}: {link}"


def test_pages_have_no_script_and_fetch_nothing_from_elsewhere(tmp_path: Path) -> None:
    build(DOCS, tmp_path)

    for file in tmp_path.rglob("*.html"):
        assert "script" not in parsed(file).tags
        assert not re.search(r'(?:src|<link[^>]*href)="https?:', file.read_text(encoding="utf-8"))
    assert "url(" not in (tmp_path / "site.css").read_text(encoding="utf-8")


def docs_with(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_link_to_no_page_and_an_anchor_to_no_heading_are_named_together(tmp_path: Path) -> None:
    docs = docs_with(tmp_path, index="# Home\n[a](gone.md) [b](other.md#nowhere)", other="# Other\n## Here")

    with pytest.raises(BrokenDocs, match=r"'gone.md' leads to no page(.|\n)*'other.md#nowhere' names no heading"):
        build(docs, tmp_path / "site")


def test_a_folder_without_an_index_is_named(tmp_path: Path) -> None:
    (tmp_path / "chapter").mkdir()
    docs_with(tmp_path, index="# Home")
    docs_with(tmp_path / "chapter", page="# Page")

    with pytest.raises(BrokenDocs, match=r"chapter has no index\.md"):
        build(tmp_path, tmp_path / "site")


def test_pages_follow_each_other_as_the_index_links_to_them_and_then_by_name(tmp_path: Path) -> None:
    docs_with(tmp_path, index="# Home\n[c](c.md) [a](a.md)", a="# A", b="# B", c="# C")

    build(tmp_path, tmp_path / "site")

    first = (tmp_path / "site" / "c.html").read_text(encoding="utf-8")
    assert re.search(r'href="index.html"><span>Previous</span> Home', first)
    assert re.search(r'href="a.html"><span>Next</span> A', first)
    assert re.search(r'href="b.html"><span>Next</span> B', (tmp_path / "site" / "a.html").read_text(encoding="utf-8"))


def test_headings_get_the_anchors_github_gives_them() -> None:
    assert slug_of("What `--gate` means, exactly") == "what---gate-means-exactly"


def test_pictures_are_copied_and_those_that_are_not_there_or_say_nothing_are_named(tmp_path: Path) -> None:
    docs = docs_with(tmp_path, index="# Home\n![A page](pictures/page.webp)")
    with pytest.raises(BrokenDocs, match=r"index.md: the picture 'pictures/page.webp' is not there"):
        build(docs, tmp_path / "site")

    (docs / "pictures").mkdir()
    (docs / "pictures" / "page.webp").write_bytes(b"RIFF")
    build(docs, tmp_path / "site")
    assert (tmp_path / "site" / "pictures" / "page.webp").read_bytes() == b"RIFF"

    docs_with(tmp_path, index="# Home\n![](pictures/page.webp)")
    with pytest.raises(BrokenDocs, match=r"'pictures/page.webp' has no words"):
        build(docs, tmp_path / "site")


def test_the_pictures_of_the_docs_are_small() -> None:
    pictures = [file for ending in ("webp", "png") for file in DOCS.rglob(f"*.{ending}")]

    assert pictures
    assert sum(file.stat().st_size for file in pictures) < 1_500_000
