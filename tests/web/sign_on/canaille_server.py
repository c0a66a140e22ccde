"""A real OpenID provider as a process of its own: Canaille, on the loopback address, with two people in it.

Run as a script with a port and the address to come back to; it prints the client's id and secret. The people's sessions
at the provider are opened by a cookie (`person`), since its pages for people need parts that are not installed: all the
rest is Canaille's own, discovery, keys, authorization with PKCE, codes, tokens and their signatures.
"""

import datetime
import json
import os
import sys
import uuid
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    """No line for each request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def main(port: int, redirect: str) -> None:
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    from canaille import create_app
    from canaille.app import models
    from canaille.app.session import UserSession
    from canaille.backends import Backend
    from flask import g, request
    from joserfc.jwk import JWKRegistry

    key = JWKRegistry.generate_key("RSA", 2048)
    key.ensure_kid()
    configuration: dict[str, Any] = {
        "TESTING": True,
        "ENV_FILE": None,
        "SECRET_KEY": str(uuid.uuid4()),
        "WTF_CSRF_ENABLED": False,
        "PREFERRED_URL_SCHEME": "http",
        "SERVER_NAME": f"localhost:{port}",
        "CANAILLE": {"DATABASE": "memory", "JAVASCRIPT": False, "ACL": {"DEFAULT": {"PERMISSIONS": ["use_oidc"]}}},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]},
    }
    app = create_app(config=configuration)
    backend = Backend.instance
    people: dict[str, Any] = {}
    with app.app_context():
        for name in ("ada", "ben"):
            mail = [f"{name}@example.org"]
            people[name] = models.User(
                user_name=name, formatted_name=f"{name.title()} Lovelace", family_name="Lovelace", emails=mail
            )
            backend.save(people[name])
        now = datetime.datetime.now(datetime.UTC)
        client = models.Client(
            client_id=str(uuid.uuid4()),
            client_secret=str(uuid.uuid4()),
            client_id_issued_at=now,
            client_name="Assay",
            redirect_uris=[redirect],
            grant_types=["authorization_code"],
            response_types=["code"],
            scope=["openid", "profile", "email"],
            token_endpoint_auth_method="client_secret_basic",
        )
        backend.save(client)
        backend.update(client, audience=[client])
        backend.save(client)
        for person in people.values():
            consent = {"consent_id": str(uuid.uuid4()), "client": client, "subject": person, "issue_date": now}
            backend.save(models.Consent(**consent, scope=client.scope))

    @app.before_request  # type: ignore[untyped-decorator]
    def sign_in() -> None:
        person = people.get(request.cookies.get("person", ""))
        if person is not None:
            g.session = UserSession(user=person, last_login_datetime=datetime.datetime.now(datetime.UTC))

    with make_server("localhost", port, app, handler_class=Quiet) as server:
        print(json.dumps({"client_id": client.client_id, "client_secret": client.client_secret}), flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
