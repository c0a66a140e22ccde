"""CVAT for images and for video 1.1, in XML."""
