"""Small files of every annotation format, written here: what mutation begins with."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A ZIP of these files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def dumped(content: Any) -> bytes:
    return json.dumps(content).encode()


def image(kind: str = "PNG", size: tuple[int, int] = (6, 4), mode: str = "RGB", **options: Any) -> bytes:
    """The bytes of a small image."""
    from PIL import Image

    target = io.BytesIO()
    picture = Image.new(mode, size)
    picture.putpixel((1, 1), 1 if mode in ("L", "1", "P") else tuple(200 for _ in picture.getbands()))
    picture.save(target, kind, **options)
    return target.getvalue()


def images() -> list[bytes]:
    """One of every kind that is read, and a JPEG that is stored lying."""
    from PIL.Image import Exif

    turned = Exif()
    turned[274] = 6
    kinds = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
    return [*map(image, kinds), image("JPEG", exif=turned), image(mode="P"), image(mode="RGBA"), image(mode="1")]


IMAGES = [
    {"id": 1, "file_name": "a.png", "width": 100, "height": 80},
    {"id": 2, "file_name": "b.png", "width": 60, "height": 60},
]
CATEGORIES = [
    {"id": 1, "name": "car"},
    {"id": 2, "name": "person", "keypoints": ["head", "foot"], "skeleton": [[1, 2]]},
]
ANNOTATIONS: list[dict[str, Any]] = [
    {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 30], "area": 600, "iscrowd": 0},
    {"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[1, 1, 30, 1, 30, 30, 1, 30]], "bbox": [1, 1, 29, 29]},
    {"id": 3, "image_id": 2, "category_id": 2, "bbox": [5, 5, 9, 9], "keypoints": [6, 6, 2, 9, 12, 1]},
    {
        **{"id": 4, "image_id": 2, "category_id": 1, "iscrowd": 1, "bbox": [0, 0, 10, 10]},
        "segmentation": {"size": [60, 60], "counts": [0, 10, 50, 10, 3530]},
    },
    {
        **{"id": 5, "image_id": 2, "category_id": 1, "bbox": [0, 0, 10, 10]},
        **{"segmentation": {"size": [60, 60], "counts": "05d16P1"}, "attributes": {"color": "red", "hidden": False}},
    },
]


def coco() -> list[bytes]:
    whole = {"images": IMAGES, "categories": CATEGORIES, "annotations": ANNOTATIONS}
    boxes = whole | {"annotations": [{k: v for k, v in ANNOTATIONS[0].items() if k != "area"}] * 3}
    annotator = {"isbbox": True, "metadata": {"a": 1}, "foot_kpts": [1, 2, 2], "face_kpts": [3, 4, 1]}
    odd = [
        ANNOTATIONS[0] | {"bbox": ["10", "10", "20", "30"], "iscrowd": "0"},
        ANNOTATIONS[0] | {"id": 2, "bbox": [30, 30, -20, -10]},
        ANNOTATIONS[1] | {"segmentation": [1, 1, 30, 1, 30, 30], "attributes": [{"name": "a", "value": 1}]},
        ANNOTATIONS[1] | {"segmentation": [[[1, 1], [30, 1], [30, 30]]]},
        ANNOTATIONS[2] | annotator,
    ]
    return [dumped(whole), dumped(boxes), dumped(whole | {"annotations": odd}), dumped(whole).replace(b"80", b"NaN")]


def coco_results() -> list[bytes]:
    scored = [{k: v for k, v in one.items() if k != "id"} | {"score": 0.5} for one in ANNOTATIONS]
    return [
        dumped(scored),
        dumped([scored[0]] * 4),
        dumped([scored[0] | {"bbox": "none"}, scored[1]]),
        dumped([scored[2] | {"keypoints": [6, 6, 0, 9, 12, 0]}]),
    ]


CVAT_META = """<meta><task><name>t</name><original_size><width>100</width><height>80</height></original_size><labels>
<label><name>car</name><type>any</type><attributes><attribute><name>color</name><mutable>False</mutable>
<input_type>select</input_type><default_value>red</default_value><values>red\nblue</values></attribute>
<attribute><name>n</name><input_type>number</input_type><values>0;9;1</values></attribute></attributes></label>
<label><name>body</name><type>skeleton</type><svg>&lt;line x1="1" data-node-from="1" data-node-to="2"&gt;</svg></label>
<label><name>head</name><type>points</type><parent>body</parent></label></labels></task></meta>"""
CVAT_SHAPES = """<box label="car" xtl="1" ytl="2" xbr="30" ybr="40" occluded="0" z_order="0" group_id="1" rotation="10">
<attribute name="color">red</attribute></box><polygon label="car" points="1,1;30,1;30,30" occluded="1"></polygon>
<polyline label="car" points="1,1;5,5"/><points label="car" points="3,3"/>
<ellipse label="car" cx="9" cy="9" rx="3" ry="4"/>
<mask label="car" rle="1, 2, 3" left="4" top="5" width="3" height="2"/><cuboid label="car" xtl1="1" ytl1="1" xbl1="1"
ybl1="5" xtr1="5" ytr1="1" xbr1="5" ybr1="5" xtl2="7" ytl2="1" xbl2="7" ybl2="5" xtr2="9" ytr2="1" xbr2="9" ybr2="5"/>
<tag label="car"/><skeleton label="body"><points label="head" points="3,4" outside="0" occluded="1"/></skeleton>"""


def cvat_images() -> list[bytes]:
    of_images = "".join(
        f'<image id="{i}" name="{name}" width="100" height="80">{CVAT_SHAPES}</image>' for i, name in enumerate("ab")
    )
    return [f"<annotations><version>1.1</version>{CVAT_META}{of_images}</annotations>".encode()]


def cvat_tracks() -> list[bytes]:
    shapes = "".join(
        f'<box frame="{frame}" keyframe="{key}" outside="{outside}" occluded="0" xtl="{frame}" ytl="2" xbr="30" '
        'ybr="40">'
        '<attribute name="color">red</attribute></box>'
        for frame, key, outside in ((0, 1, 0), (2, 1, 0), (5, 0, 0), (6, 1, 1))
    )
    polygon = '<polygon frame="1" keyframe="1" outside="0" occluded="0" points="1,1;9,1;9,9"/>'
    skeleton = '<skeleton frame="0" keyframe="1"><points label="head" outside="0" points="3,4"/></skeleton>'
    tracks = f'<track id="0" label="car">{shapes}</track><track id="1" label="car">{polygon}</track>'
    tracks += f'<track id="2" label="body">{skeleton}</track>'
    meta = CVAT_META.replace("<task>", "<task><size>9</size><start_frame>0</start_frame><stop_frame>8</stop_frame>")
    return [f"<annotations>{meta}{tracks}</annotations>".encode()]


def voc_file(name: str = "a.jpg") -> bytes:
    objects = """<object><name>car</name><pose>Left</pose><truncated>0</truncated><difficult>1</difficult><bndbox>
<xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox><attributes><attribute><name>c</name><value>1</value>
</attribute></attributes></object><object><name>man</name><polygon><x1>1</x1><y1>1</y1><x2>9</x2><y2>1</y2><x3>9</x3>
<y3>9</y3></polygon><part><name>head</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox>
</part></object>"""
    size = "<size><width>100</width><height>80</height><depth>3</depth></size>"
    return f"<annotation><folder>f</folder><filename>{name}</filename>{size}{objects}</annotation>".encode()


def voc() -> list[bytes]:
    return [voc_file()]


def labelme_file(name: str = "a.png") -> bytes:
    mask = base64.b64encode(image(size=(3, 2), mode="L")).decode()
    points: dict[str, list[list[float]]] = {
        "polygon": [[1, 1], [30, 1], [30, 30]],
        "rectangle": [[1, 1], [20, 20]],
        "oriented_rectangle": [[0, 0], [4, 0], [4, 2], [0, 2]],
        "circle": [[10, 10], [15, 10]],
        "linestrip": [[1, 1], [3, 3], [5, 1]],
        "point": [[1, 1]],
        "mask": [[1, 1], [3, 2]],
    }
    shapes = [
        {"label": "car", "points": at, "shape_type": kind, "group_id": None, "flags": {"a": True}, "description": "x"}
        for kind, at in points.items()
    ]
    shapes[-1]["mask"] = mask
    known = {"version": "5.0", "imagePath": name, "imageHeight": 80, "imageWidth": 100, "imageData": None}
    return dumped({**known, "flags": {"night": True}, "shapes": shapes})


def labelme() -> list[bytes]:
    return [labelme_file()]


def _studio_result(kind: str, value: dict[str, Any], number: int) -> dict[str, Any]:
    known = {"original_width": 100, "original_height": 80, "image_rotation": 0, "to_name": "image"}
    return {"id": f"r{number}", "type": kind, "from_name": "label", **known, "value": value}


def label_studio() -> list[bytes]:
    values: list[tuple[str, dict[str, Any]]] = [
        ("rectanglelabels", {"x": 1, "y": 2, "width": 30, "height": 40, "rotation": 5, "rectanglelabels": ["car"]}),
        ("polygonlabels", {"points": [[1, 1], [30, 1], [30, 30]], "closed": True, "polygonlabels": ["car"]}),
        ("ellipselabels", {"x": 9, "y": 9, "radiusX": 3, "radiusY": 4, "rotation": 0, "ellipselabels": ["car"]}),
        ("keypointlabels", {"x": 9, "y": 9, "width": 1, "keypointlabels": ["head"]}),
        ("brushlabels", {"format": "rle", "rle": [0, 0, 0, 32, 1, 2, 3, 255, 0], "brushlabels": ["car"]}),
        ("choices", {"choices": ["day"]}),
        ("taxonomy", {"taxonomy": [["a", "b"]]}),
        ("relation", {}),
    ]
    results = [_studio_result(kind, value, i) for i, (kind, value) in enumerate(values)]
    results[1]["parentID"] = "r0"
    one = {"id": 1, "data": {"image": "/data/upload/1/0123abcd-a.png"}, "predictions": [{"result": []}]}
    drawn = [
        {"id": 5, "completed_by": 1, "result": results},
        {"id": 6, "completed_by": {"email": "b@c.d"}, "result": []},
    ]
    task = {"id": 1, "result": results, "task": one}
    return [dumped([one | {"annotations": drawn}]), dumped([one | {"completions": drawn[:1]}]), dumped(task)]


def label_studio_min() -> list[bytes]:
    box = {"x": 1, "y": 2, "width": 30, "height": 40, "rectanglelabels": ["car"], "original_width": 100}
    box["original_height"] = 80
    polygon = {"points": [[1, 1], [30, 1], [30, 30]], "polygonlabels": ["car"]} | {
        "original_width": 100, "original_height": 80
    }  # fmt: skip
    item = {"image": "/data/a.png", "id": 1, "label": [box, polygon], "choice": "day", "annotator": 1}
    more = {"annotation_id": 2, "created_at": "2024-01-01", "updated_at": "2024-01-01", "lead_time": 5.0}
    return [dumped([item | more, item | more | {"annotator": "b@c.d"}])]


YOLO_LABELS = b"0 0.5 0.5 0.2 0.2\n1 0.1 0.1 0.4 0.1 0.4 0.4\n0 0.5 0.5 0.2 0.2 0.9\n"
YOLO_YAML = b"path: .\ntrain: images/train\nnames:\n  0: car\n  1: person\nnc: 2\nkpt_shape: [2, 3]\n"


def yolo() -> list[bytes]:
    """Data sets as Ultralytics, Darknet and Label Studio lay them out."""
    photo = image(size=(100, 80))
    poses = b"0 0.5 0.5 0.2 0.2 0.1 0.1 2 0.2 0.2 1\n"
    return [
        zipped({"data.yaml": YOLO_YAML, "labels/a.txt": poses, "images/a.png": photo}),
        zipped({"obj.names": b"car\nperson\n", "obj_train_data/a.txt": YOLO_LABELS, "obj_train_data/a.png": photo}),
        zipped({"classes.txt": b"car\n", "labels/a.txt": YOLO_LABELS, "train.txt": b"images/a.png\n"}),
        zipped({"notes.json": b'{"categories": [{"id": 0, "name": "car"}]}', "labels/a.txt": YOLO_LABELS}),
        zipped({"labels/a.txt": b"0 0.1 0.1 0.4 0.1 0.4 0.4 0.1 0.4\n", "images/a.png": photo}),
    ]


def submissions() -> list[bytes]:
    """ZIPs of several students, in folders, and as ZIPs within one."""
    students = {"anna.json": coco()[0], "ben/annotations.xml": cvat_images()[0], "carla/a.xml": voc_file()}
    inner = {"dora.zip": zipped({"annotations.xml": cvat_images()[0]}), "emre.zip": zipped({"a.json": labelme_file()})}
    return [
        zipped(students),
        zipped(students | inner),
        zipped({"f.zip": zipped(inner)}),
        zipped({"g.json": label_studio()[0]}),
        zipped({"h/labels/a.txt": YOLO_LABELS, "h/data.yaml": YOLO_YAML, "h/images/a.png": image()}),
    ]
