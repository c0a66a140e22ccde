"""How much two shapes have in common: areas, masks, outlines, lines and keypoints, for many pairs at once."""
