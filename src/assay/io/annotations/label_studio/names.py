"""The names of images in Label Studio, which keeps addresses: uploads, local files, buckets and pages."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from assay.io.annotations.per_image_files import plain_name
from assay.io.archives.image_files import ENDINGS

USUAL = ("image", "img", "image_url", "url", "photo", "picture", "file")
PREFIX = re.compile(r"^[0-9a-f]{8}-(?=.)")


def address_of(values: Mapping[str, Any]) -> tuple[str, str]:
    """The key and the address of a task's image: the usual key, else the only text that ends as an image; or blanks."""
    texts = {key: value for key, value in values.items() if isinstance(value, str) and value.strip()}
    if key := next((key for key in USUAL if key in texts), ""):
        return key, texts[key]
    images = [key for key, text in texts.items() if PurePosixPath(path_of(text)).suffix.lower() in ENDINGS]
    return (images[0], texts[images[0]]) if len(images) == 1 else ("", "")


def path_of(address: str) -> str:
    """The path of an image, whatever holds it.

    >>> path_of("/data/local-files/?d=shots/a%20b.jpg"), path_of("s3://bucket/x/a.jpg?token=1")
    ('shots/a b.jpg', 'x/a.jpg')
    """
    if address.startswith("data:"):
        return ""
    try:
        parts = urlsplit(address.replace("\\", "/"))
        local = parse_qs(parts.query).get("d", [""])[0]
    except ValueError:
        return plain_name(address)
    return plain_name(local or unquote(parts.path))


def image_names(addresses: Sequence[str]) -> list[str]:
    """A name for each address, the shortest that only it has, or blank when it has none.

    Uploads lose the eight letters Label Studio puts before them: two projects put different ones.

    >>> image_names(["/data/upload/3/0a1b2c3d-a.jpg", "s3://one/b.jpg", "s3://two/b.jpg"])
    ['a.jpg', 'one/b.jpg', 'two/b.jpg']
    """
    forms = [_forms(address) for address in addresses]
    times = Counter(name for names in forms for name in set(names))
    return [next((name for name in names if times[name] == 1), names[-1]) for names in forms]


def _forms(address: str) -> list[str]:
    """The names of an image, from the shortest to the one that is certain to differ."""
    if address.startswith("data:"):
        return [""]
    path = path_of(address)
    short = PREFIX.sub("", PurePosixPath(path).name) if "data/upload/" in f"{path}/" else path
    return [short, path, plain_name(address.split("://", 1)[-1].split("?", 1)[0]), address]
