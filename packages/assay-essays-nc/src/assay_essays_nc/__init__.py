"""Data of assay's essay reader learned from corpora under CC BY-NC-SA 4.0; assay uses them where they are installed.

NOTICE.txt says what each file was learned from. `assay.essays.data_files` finds them; nothing here runs.
"""

__version__ = "1.0.0"
