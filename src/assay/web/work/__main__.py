"""`python -m assay.web.work`: one worker; `assay serve` starts them."""

from assay.web.work.worker import main

if __name__ == "__main__":
    main()
