"""What holds for every test: no example has a deadline, since machines are shared."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
