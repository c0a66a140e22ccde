"""`assay serve`: the web app, with its workers."""

from pathlib import Path
from typing import Annotated

import typer

from assay.errors import MissingExtra


def serve(
    demo: Annotated[bool, typer.Option("--demo", help="Fill it with the bundled examples.")] = False,
    port: Annotated[int, typer.Option(help="Port; 0 for any free one.")] = 8765,
    db: Annotated[
        str | None,
        typer.Option(
            envvar="ASSAY_DB", help="A file, or postgresql://USER@HOST/NAME. Your own data folder without it."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=0, max=64, help="Processes that do the scoring.")] = 2,
    servers: Annotated[int, typer.Option(min=1, max=64, help="Processes that answer requests at this address.")] = 1,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Any but this machine's own makes people sign in.")
    ] = "127.0.0.1",
    accounts: Annotated[bool, typer.Option("--accounts", help="Make people sign in on this machine too.")] = False,
    name: Annotated[
        list[str] | None, typer.Option(help="Host name under which others reach it; may be given several times.")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="Certificate for HTTPS, in PEM.")] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key, in PEM.")] = None,
    behind_https: Annotated[
        bool, typer.Option("--behind-https", help="A proxy in front of it speaks HTTPS: cookies are sent over it only.")
    ] = False,
    max_upload: Annotated[int, typer.Option(min=1, help="Largest upload, in MB.")] = 200,
    sign_on: Annotated[
        Path | None, typer.Option(help="TOML file with the OpenID provider and LTI platforms people sign on with.")
    ] = None,
) -> None:
    """Open the web app: upload, watch, review, override, trust, report. Stop with Ctrl-C.

    Examples: assay serve --demo
    or: assay serve --db postgresql://assay@localhost/assay --workers 4
    """
    try:
        from assay.web.app import create_app, create_demo
        from assay.web.server import serve_app, settings_for
    except ModuleNotFoundError as missing:
        raise MissingExtra("The web app", "web") from missing
    settings = settings_for(
        database=db,
        host=host,
        port=port,
        accounts=accounts,
        names=tuple(name or ()),
        https=behind_https or certificate is not None,
        most_upload=max_upload,
        sign_on=sign_on,
    )
    serve_app(
        settings,
        create_demo if demo else create_app,
        workers=workers,
        certificate=certificate,
        key=key,
        say=typer.echo,
        servers=servers,
    )
