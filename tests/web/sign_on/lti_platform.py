"""A learning platform on loopback, made from the flows of LTI 1.3 and LTI Advantage, with keys of its own."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fastapi.testclient import TestClient
from httpx2 import Response
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, RSAKey

from assay.web.sign_on.lti import CLAIM, DEEP_LINKING, GRADES, NAMES_AND_ROLES, ROLE

CLIENT = "assay at this platform"


class LtiPlatformServer:
    """Courses, people and a gradebook; `launch` does what a browser does that follows a link in a course."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "platform"})
        self.tool_keys: Any = {}
        self.members: list[dict[str, Any]] = []
        self.scores: list[tuple[str, dict[str, Any]]] = []
        self.columns: list[dict[str, Any]] = []
        self.url = ""

    def settings(self, folder: Path) -> Path:
        path = folder / "sign-on.toml"
        addresses = "\n".join(f'{name}_url = "{self.url}/{name}"' for name in ("authorization", "token", "keys"))
        path.write_text(
            f'[[lti]]\nissuer = "{self.url}"\nclient_id = "{CLIENT}"\n{addresses}\ndeployments = ["7"]\n', "utf-8"
        )
        return path

    def claims(self, nonce: str, subject: str = "u1", role: str = "Learner") -> dict[str, Any]:
        now = int(time.time())
        return {
            **{"iss": self.url, "aud": CLIENT, "sub": subject, "iat": now, "exp": now + 300, "nonce": nonce},
            **{"name": f"Person {subject}", "email": f"{subject}@example.org"},
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": "7",
            f"{CLAIM}roles": [f"{ROLE}#{role}"],
            f"{CLAIM}context": {"id": "c5", "title": "Writing 5"},
            f"{CLAIM}resource_link": {"id": "link 1"},
            GRADES: {"lineitems": f"{self.url}/columns", "lineitem": f"{self.url}/columns/1?a=b"},
            NAMES_AND_ROLES: {"context_memberships_url": f"{self.url}/members"},
        }

    def login(self, browser: TestClient, method: str = "POST", **changes: str) -> dict[str, str]:
        """What we ask of the platform, when it asks us to begin."""
        asked = {"iss": self.url, "login_hint": "hint", "target_link_uri": "x", "client_id": CLIENT, **changes}
        sent: Any = {"data": asked} if method == "POST" else {"params": asked}
        answer = browser.request(method, "/lti/login", **sent, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        address = urlsplit(answer.headers["location"])
        assert f"{address.scheme}://{address.netloc}{address.path}" == f"{self.url}/authorization"
        return {name: values[0] for name, values in parse_qs(address.query).items()}

    def send(self, browser: TestClient, asked: dict[str, str], token: str) -> Response:
        """The form that the platform's page posts: no cookie comes with it, as it comes from another site."""
        form = {"state": asked["state"], "id_token": token}
        without_cookies = TestClient(browser.app, base_url=str(browser.base_url))
        return without_cookies.post("/lti/launch", data=form, headers={"Origin": self.url}, follow_redirects=False)

    def launch(self, browser: TestClient, subject: str = "u1", role: str = "Learner", **changes: Any) -> Response:
        asked = self.login(browser)
        answer = self.send(browser, asked, self.signed({**self.claims(asked["nonce"], subject, role), **changes}))
        if answer.status_code != 303:
            return answer
        return browser.get(answer.headers["location"], follow_redirects=False)

    def choose(self, browser: TestClient, **changes: Any) -> Response:
        """A teacher adds a link by deep linking."""
        settings = {"deep_link_return_url": f"{self.url}/return", "data": "opaque", "accept_types": ["ltiResourceLink"]}
        message = {f"{CLAIM}message_type": "LtiDeepLinkingRequest", f"{CLAIM}resource_link": None, GRADES: None}
        settings_claim = {f"{DEEP_LINKING}deep_linking_settings": settings}
        return self.launch(browser, "teacher", "Instructor", **{**message, **settings_claim, **changes})

    def signed(self, claims: dict[str, Any], key: RSAKey | None = None) -> str:
        """A token of the platform; claims that are None are left out."""
        given = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": "platform"}, given, key or self.key)

    def read(self, token: str) -> dict[str, Any]:
        """What we signed, checked with our published key."""
        return dict(jwt.decode(token, KeySet.import_key_set(self.tool_keys), algorithms=["RS256"]).claims)

    def answer(self, method: str, path: str, headers: Any, body: bytes) -> tuple[int, dict[str, str], Any]:
        """What the platform's services answer."""
        if path == "/keys":
            return 200, {}, {"keys": [self.key.as_dict(private=False)]}
        if path == "/token":
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            try:
                claims = self.read(form["client_assertion"])
            except (JoseError, ValueError):
                return 401, {}, {}
            right = claims["iss"] == claims["sub"] == CLIENT and claims["aud"] == f"{self.url}/token"
            fine = right and claims["exp"] > time.time() and form["grant_type"] == "client_credentials"
            return (200, {}, {"access_token": form["scope"], "token_type": "Bearer"}) if fine else (400, {}, {})
        scope = headers.get("Authorization", "").removeprefix("Bearer ")
        if path.startswith("/members") and scope.endswith("contextmembership.readonly"):
            page = int(re.sub(r"\D", "", path) or 0)
            more = {"Link": f'<{self.url}/members{page + 1}>; rel="next"'} if page + 1 < len(self.members) else {}
            return 200, more, {"id": "x", "context": {"id": "c5"}, "members": self.members[page : page + 1]}
        if path == "/columns" and scope.endswith("scope/lineitem"):
            self.columns.append(json.loads(body))
            return 201, {}, {**self.columns[-1], "id": f"{self.url}/columns/new{len(self.columns)}"}
        if "/scores" in path and scope.endswith("scope/score") and method == "POST":
            assert headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
            self.scores.append((path, json.loads(body)))
            return 200, {}, {}
        return 403, {}, {}


@contextmanager
def running_platform() -> Iterator[LtiPlatformServer]:
    platform = LtiPlatformServer()

    class Handler(BaseHTTPRequestHandler):
        def _answered(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, content = platform.answer(self.command, self.path, self.headers, body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        do_GET = do_POST = _answered  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        platform.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield platform
        server.shutdown()
