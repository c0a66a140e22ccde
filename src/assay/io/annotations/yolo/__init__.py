"""YOLO: text files of rows, with names of classes beside them."""
