"""Annotation files <-> `AnnotationSet`: `files` opens what people hand in, `detect` tells the format and its reader."""
