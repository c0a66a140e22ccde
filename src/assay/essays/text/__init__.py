"""An essay as text: read, cleaned up, cut into words, sentences and paragraphs, with spelling and frequency lists."""
