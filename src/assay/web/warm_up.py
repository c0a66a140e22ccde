"""What a process does once, before the first visitor: nobody waits for a part of it."""

import gc
from functools import cache

from assay.web.templating import environment


@cache
def get_ready() -> None:
    """Compile all templates (half a second), and set aside what stays for good.

    The garbage collector looks through everything now and then; libraries and templates never become garbage, and
    looking through them again would cost whoever asks for a page just then a tenth of a second.
    """
    for name in environment().list_templates():
        environment().get_template(name)
    gc.collect()
    gc.freeze()
