"""Reports about annotations: of one student, of all, and of how far annotators agree."""
