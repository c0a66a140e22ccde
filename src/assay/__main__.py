"""`assay`, and `python -m assay`."""

import signal


def main() -> None:
    """Run a command; Ctrl-C while it is still being loaded ends it without a word, since it has not begun."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from assay.cli.main import main as run_command  # noqa: PLC0415

    run_command()


if __name__ == "__main__":
    main()
