"""`python -m assay.web.worker`: one worker; `assay serve` starts them."""

from assay.web.worker.worker import main

if __name__ == "__main__":
    main()
