"""Formats of data sets: Datumaro, Supervisely, VGG VIA, COCO panoptic, KITTI, MOT, Open Images."""
