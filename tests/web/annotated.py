"""Small annotation files, as students and trainers upload them."""

import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, TypeAlias

from tests.web.visits import Visit

Drawn: TypeAlias = tuple[int, str, tuple[float, float, float, float], Mapping[str, Any]]
"""Image (0 or 1), label, box as left, top, width, height, attributes."""
IMAGES = ("one.png", "two.png")

TRUTH: tuple[Drawn, ...] = (
    (0, "car", (10, 10, 40, 30), {"colour": "red"}),
    (0, "car", (80, 10, 40, 30), {"colour": "blue"}),
    (1, "bus", (10, 60, 60, 40), {"colour": "red"}),
)
ADA = TRUTH
"""Flawless."""
BEN: tuple[Drawn, ...] = (TRUTH[0], TRUTH[1], (1, "car", (140, 10, 20, 20), {"colour": "red"}))
"""Two of three found, one missed, one extra: quality 100, completeness F0.5 = 2.5 / 3.75, so 83.3."""
CY: tuple[Drawn, ...] = (TRUTH[0], (0, "cab", TRUTH[1][2], {"colour": "green"}), TRUTH[2])
"""A label and an attribute differ: "cab" for "car" is 2 of 3 letters alike, "green" for "blue" 1 of 5."""


def coco(drawn: Sequence[Drawn], images: Sequence[str] = IMAGES) -> bytes:
    """A COCO file."""
    labels = list(dict.fromkeys(label for _, label, _, _ in drawn))
    content = {
        "images": [{"id": i, "file_name": n, "width": 200, "height": 120} for i, n in enumerate(images)],
        "categories": [{"id": i, "name": label} for i, label in enumerate(labels)],
        "annotations": [
            {
                "id": i,
                "image_id": image,
                "category_id": labels.index(label),
                "bbox": list(box),
                "area": box[2] * box[3],
                "attributes": dict(attributes),
            }
            for i, (image, label, box, attributes) in enumerate(drawn)
        ],
    }
    return json.dumps(content).encode()


def png(width: int = 200, height: int = 120) -> bytes:
    """A grey picture."""
    rows = b"".join(b"\0" + b"\x99" * width for _ in range(height))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def zipped(files: Mapping[str, bytes]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, inside in files.items():
            archive.writestr(name, inside)
    return content.getvalue()


def fields(**roles: Mapping[str, bytes]) -> list[tuple[str, tuple[str, BytesIO]]]:
    """Files as a form sends them: role -> name -> content."""
    return [(role, (name, BytesIO(content))) for role, files in roles.items() for name, content in files.items()]


EVERYONE = {"ada.json": coco(ADA), "ben.json": coco(BEN), "cy.json": coco(CY)}


def graded(visit: Visit, submissions: Mapping[str, bytes] = EVERYONE, truth: bytes | None = None, **more: Any) -> str:
    """A workspace with everything scored; its address."""
    files = fields(truth={"truth.json": truth or coco(TRUTH)}, submissions=submissions, **more)
    answer = visit.send("/annotations", files=files, name="Group B")
    visit.work()
    return str(answer.url.path).removesuffix("/submissions")


def item_of(visit: Visit, url: str, student: str) -> int:
    """The id of a student's submission."""
    found = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/results").json()["results"]
    return int(next(one["item"]["id"] for one in found if one["item"]["name"] == student))


def scores(visit: Visit, url: str) -> dict[str, tuple[float | None, float | None]]:
    """Student -> system and final score, to a tenth."""
    found = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/results").json()["results"]

    def tenth(value: float | None) -> float | None:
        return None if value is None else round(value, 1)

    return {one["item"]["name"]: (tenth(one["score"]), tenth(one["final_score"])) for one in found}


def override(visit: Visit, url: str, student: str, target: str, value: Any, reason: str = "looked at it") -> int:
    """What a program that reviews sends; the id of the decision."""
    item = item_of(visit, url, student)
    decision = {"kind": "override", "target": target, "value": value, "reason": reason}
    path = f"/api/v1/workspaces/{url.rpartition('/')[2]}/results/{item}/decisions"
    answer = visit.another().post(path, json=decision)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])
