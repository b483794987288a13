"""httplint on the messages of the declared API, as they come over the wire: headers that contradict each other, the
status or the body."""

import json
import socket
import time
import unittest
import uuid
from urllib.parse import urlsplit

from httplint.message import HttpResponseLinter
from httplint.note import levels

from world import ISSUER, SHOPKEEPER, token_of

HOST = urlsplit(ISSUER).netloc
JSON = {"Content-Type": "application/json"}

# Matters of taste, by the names that httplint gives them.
ACCEPTED = {
    # A 202 names its monitor so, in many APIs and in our specification, though RFC 9110 does not speak of it.
    "LOCATION_UNDEFINED",
    # Not needed, but plain to read: documents for everyone.
    "STORE_PUBLIC_UNNECESSARY",
    # Says that a 400 is a 400.
    "STATUS_BAD_REQUEST",
    # Caller, origin and two places for the version: where origins are listed, each of the four makes another answer.
    "VARY_COMPLEX",
}


class Answer:
    """One answer, byte for byte: no library may have mended it."""

    def __init__(self, method, path, headers=None, body=b"", token=None):
        asked = {"Host": HOST, "Connection": "close", "Content-Length": len(body), **(headers or {})}
        if token:
            asked["Authorization"] = "Bearer " + token
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in asked.items())
        with socket.create_connection(HOST.rsplit(":", 1), timeout=10) as connection:
            connection.sendall(head.encode() + b"\r\n" + body)
            raw = b"".join(iter(lambda: connection.recv(65536), b""))
        head, _, self.body = raw.partition(b"\r\n\r\n")
        self.top, *lines = head.split(b"\r\n")
        self.fields = [tuple(line.split(b": ", 1)) for line in lines]
        self.method = method

    @property
    def status(self):
        return int(self.top.split()[1])

    def field(self, name):
        return next(value.decode() for key, value in self.fields if key.decode().lower() == name)

    def remarks(self):
        linter = HttpResponseLinter(start_time=time.time())
        linter.is_head_response = self.method == "HEAD"
        version, status, phrase = self.top.split(b" ", 2)
        linter.process_response_topline(version.removeprefix(b"HTTP/"), status, phrase)
        linter.process_headers(self.fields)
        linter.feed_content(self.body)
        linter.finish_content(True)
        found = (note for note in linter.notes if note.level in (levels.BAD, levels.WARN))
        return [f"{type(note).__name__}: {note}" for note in found if type(note).__name__ not in ACCEPTED]


class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.token = token_of(SHOPKEEPER)

    def ask(self, expected, method, path, headers=None, body=b"", token=None):
        with self.subTest(expected=expected, method=method, path=path):
            answer = Answer(method, path, headers, body, self.token if token is None else token)

            self.assertEqual(answer.status, expected, answer.body)
            self.assertEqual(answer.remarks(), [])
            return answer

    def make_user(self):
        body = json.dumps({"name": "Ada", "email": f"{uuid.uuid4()}@example.org"}).encode()
        return self.ask(201, "POST", "/api/users", JSON, body)

    def test_answers_about_rows_have_nothing_to_remark(self):
        made = self.make_user()
        row = made.field("location")

        self.ask(200, "GET", row)
        self.ask(200, "HEAD", row)
        self.ask(304, "GET", row, {"If-None-Match": made.field("etag")})
        self.ask(412, "PATCH", row, {**JSON, "If-Match": '"another"'}, b"{}")
        self.ask(200, "PATCH", row, JSON, b'{"name": "Grace"}')
        self.ask(204, "OPTIONS", row)
        self.ask(204, "DELETE", row)
        self.ask(404, "GET", row)

    def test_lists_and_descriptions_have_nothing_to_remark(self):
        self.make_user()
        self.make_user()

        listed = self.ask(200, "GET", "/api/users?limit=1")
        self.ask(200, "GET", json.loads(listed.body)["links"]["next"])
        self.ask(200, "HEAD", "/api/users?limit=1")
        self.ask(200, "GET", "/api/users?limit=1", {"Origin": "https://app.example"})
        described = self.ask(200, "GET", "/api/openapi.json", token="")
        self.ask(304, "GET", "/api/openapi.json", {"If-None-Match": described.field("etag")}, token="")

    def test_what_takes_time_has_nothing_to_remark(self):
        payment = json.loads(self.ask(201, "POST", "/api/payments", JSON, b'{"amount": 1}').body)["id"]

        accepted = self.ask(202, "POST", f"/api/payments/{payment}/refund")
        self.ask(200, "GET", accepted.field("location"))

    def test_refusals_have_nothing_to_remark(self):
        self.ask(400, "GET", "/api/orders?colour=red")
        self.ask(401, "GET", "/api/users", token="")
        self.ask(401, "GET", "/api/users", token="unknown")
        self.ask(404, "GET", "/api/nothing")
        self.ask(405, "DELETE", "/api/users")
        self.ask(406, "GET", "/api/users", {"Accept": "text/html"})
        self.ask(415, "POST", "/api/users", {"Content-Type": "text/plain"}, b"Ada")
        self.ask(422, "POST", "/api/users", JSON, b'{"name": 1, "email": "ada"}')


if __name__ == "__main__":
    unittest.main()
