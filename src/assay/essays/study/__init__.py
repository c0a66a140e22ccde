"""The tables of Attali & Burstein (2005) for any corpus of scored essays."""
