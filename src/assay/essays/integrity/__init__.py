"""Whether a text is an essay at all: how its words go together, what is repeated or copied, what follows."""
