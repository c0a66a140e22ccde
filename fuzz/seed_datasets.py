"""Small files of data sets: Datumaro, Supervisely, VGG VIA, COCO panoptic, KITTI, MOT, Open Images."""

import base64
import io
import zlib
from typing import Any

from fuzz.seed_annotations import dumped, image, zipped


def datumaro() -> list[bytes]:
    joints = ["head", "tail"]
    labels = [{"name": "car", "parent": "", "attributes": ["color"]}, {"name": "dog", "parent": "", "attributes": []}]
    drawn: list[dict[str, Any]] = [
        {"type": "bbox", "bbox": [1, 2, 30, 40], "attributes": {"rotation": 5.0, "color": "red", "occluded": True}},
        {"type": "rotated_bbox", "x": 20, "y": 20, "w": 10, "h": 4, "r": 30},
        {"type": "polygon", "points": [1, 1, 30, 1, 30, 30]},
        {"type": "polyline", "points": [1, 1, 30, 1]},
        {"type": "points", "label_id": 1, "points": [1, 1, 3, 3], "visibility": [2, 1]},
        {"type": "skeleton", "label_id": 1, "elements": [{"points": [1, 1], "visibility": [2]}, {"points": [3, 3]}]},
        {"type": "ellipse", "points": [1, 1, 9, 5]},
        {"type": "mask", "rle": {"counts": "0d04", "size": [4, 6]}, "attributes": {"is_crowd": True}},
        {"type": "mask", "rle": {"counts": [20, 4], "size": [4, 6]}},
        {"type": "label", "label_id": 0},
        {"type": "cuboid_3d", "position": [1, 2, 3]},
        {"type": "caption", "caption": "a car"},
    ]
    annotations = [{"id": i, "label_id": 0, "group": i % 2, "attributes": {}} | one for i, one in enumerate(drawn)]
    item = {"id": "a", "annotations": annotations, "image": {"path": "a.png", "size": [80, 100]}, "attr": {"frame": 1}}
    points = {"items": [{"label_id": 1, "labels": joints, "joints": [[1, 2]]}]}
    categories = {"label": {"labels": labels, "attributes": ["occluded"]}, "points": points}
    return [dumped({"info": {}, "categories": categories, "items": [item]})]


def supervisely_file() -> bytes:
    pixels = base64.b64encode(zlib.compress(image(size=(3, 2), mode="L"))).decode()
    corners = [[0, 0], [4, 0], [4, 4], [0, 4], [2, 2], [6, 2], [6, 6], [2, 6]]
    tags = [{"name": "color", "value": "red"}, {"name": "night", "value": None}]
    shapes: list[dict[str, Any]] = [
        {"geometryType": "rectangle", "points": {"exterior": [[1, 1], [20, 20]], "interior": []}},
        {
            "geometryType": "polygon",
            "points": {"exterior": [[1, 1], [9, 1], [9, 9]], "interior": [[[2, 2], [3, 2], [3, 3]]]},
        },
        {"geometryType": "line", "points": {"exterior": [[1, 1], [20, 20]], "interior": []}},
        {"geometryType": "point", "points": {"exterior": [[1, 1]], "interior": []}},
        {"geometryType": "bitmap", "bitmap": {"origin": [4, 5], "data": pixels}},
        {"geometryType": "graph", "nodes": {"head": {"loc": [1, 1], "disabled": True}, "tail": {"loc": [3, 3]}}},
        {"geometryType": "cuboid", "points": corners, "faces": []},
        {"geometryType": "cuboid_3d"},
    ]
    objects = [{"id": i, "classTitle": "car", "tags": tags} | one for i, one in enumerate(shapes)]
    return dumped({"description": "", "tags": tags, "size": {"height": 80, "width": 100}, "objects": objects})


def supervisely() -> list[bytes]:
    return [supervisely_file()]


def via_regions() -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = [
        {"name": "rect", "x": 1, "y": 2, "width": 30, "height": 40},
        {"name": "circle", "cx": 10, "cy": 10, "r": 4},
        {"name": "ellipse", "cx": 10, "cy": 10, "rx": 4, "ry": 2, "theta": 0.3},
        {"name": "polygon", "all_points_x": [1, 30, 30], "all_points_y": [1, 1, 30]},
        {"name": "polyline", "all_points_x": [1, 30], "all_points_y": [1, 1]},
        {"name": "point", "cx": 10, "cy": 10},
    ]
    values = {"type": "car", "color": {"red": True, "blue": False}}
    return [{"shape_attributes": shape, "region_attributes": values} for shape in shapes]


def via() -> list[bytes]:
    entry = {"filename": "a.png", "size": 12, "regions": via_regions(), "file_attributes": {}}
    old = entry | {"regions": dict(enumerate(via_regions()))}
    project = {"_via_settings": {}, "_via_img_metadata": {"a.png12": entry}, "_via_attributes": {}}
    return [dumped(project), dumped({"a.png12": entry}), dumped({"a.png12": old})]


VIA_CSV = (
    b"filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\n"
    b'a.png,12,"{}",2,0,"{""name"":""rect"",""x"":1,""y"":2,""width"":3,""height"":4}","{""type"":""car""}"\n'
    b'b.png,12,"{}",0,0,"{}","{}"\n'
)
KITTI = (
    b"Car 0.00 0 -1.57 59.4 15.4 62.7 18.2 2.85 2.63 12.34 0.47 1.49 69.44 -1.56\n"
    b"Pedestrian 0.20 2 0.10 5.0 5.0 20.0 30.0 1.89 0.48 1.20 1.84 1.47 8.41 0.01 0.93\n"
    b"DontCare -1 -1 -10 50.0 16.0 59.0 18.0 -1 -1 -1 -1000 -1000 -1000 -10\n"
)
MOT = b"1,1,91,48,9,10,1,1,1\n1,2,9,8,7,6,0,9,0.5\n2,1,92,48,9,10,1,1,0.8\n"
MOT_RESULTS = b"1,1,91.5,48,9,10,0.9,-1,-1,-1\n2,1,92,48,9,10,0.7,-1,-1,-1\n"
OPEN_IMAGES = (
    b"ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside\n"
    b"a,xclick,/m/01g317,1,0.1,0.5,0.2,0.6,1,0,0,0,0\n"
    b"a,xclick,/m/0k4j,0.8,0.1,0.5,0.2,0.6,0,0,1,0,-1\n"
)
CLASSES = b"/m/01g317,Person\n/m/0k4j,Car\n"


def _segments() -> bytes:
    from PIL import Image

    picture = Image.new("RGB", (6, 4))
    for x in range(3):
        picture.putpixel((x, 1), (7, 0, 0))
        picture.putpixel((x, 2), (1, 1, 0))
    target = io.BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()


def panoptic_file() -> bytes:
    segments = [
        {"id": 7, "category_id": 1, "area": 3, "bbox": [0, 1, 3, 1], "iscrowd": 0},
        {"id": 257, "category_id": 2, "area": 3, "bbox": [0, 2, 3, 1], "iscrowd": 1},
    ]
    return dumped(
        {
            "images": [{"id": 4, "width": 6, "height": 4, "file_name": "a.jpg"}],
            "categories": [{"id": 1, "name": "car", "isthing": 1}, {"id": 2, "name": "sky", "isthing": 0}],
            "annotations": [{"image_id": 4, "file_name": "a.png", "segments_info": segments}],
        }
    )


def panoptic() -> list[bytes]:
    return [zipped({"panoptic.json": panoptic_file(), "panoptic/a.png": _segments()})]


def row_files() -> list[bytes]:
    """ZIPs of texts: labels of KITTI, sequences of MOT, boxes of Open Images with names of classes, VIA's CSV."""
    return [
        zipped({"label_2/000001.txt": KITTI, "label_2/000002.txt": b""}),
        zipped({"S1/gt/gt.txt": MOT, "S2/gt/gt.txt": MOT}),
        zipped({"anna.txt": MOT_RESULTS}),
        zipped({"boxes.csv": OPEN_IMAGES, "class-descriptions-boxable.csv": CLASSES}),
        zipped({"via.csv": VIA_CSV}),
    ]


def texts() -> list[bytes]:
    return [KITTI, MOT, MOT_RESULTS, OPEN_IMAGES, VIA_CSV]
