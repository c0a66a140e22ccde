"""An evaluation, a comparison or a judgement of trust as a document: sections, charts and words."""
