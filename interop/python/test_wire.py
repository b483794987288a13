"""Headers and bodies that strict libraries and browsers' own fetch insist on, seen one by one."""

import base64
import re
import unittest

import requests

from world import ISSUER, OPAQUE, SERVER, metadata

FORM = "application/x-www-form-urlencoded;charset=UTF-8"
GRANT = {"grant_type": "client_credentials"}


def post(endpoint, data, auth=(OPAQUE.id, OPAQUE.secret), **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.post(SERVER[endpoint], data=data, auth=auth, headers=headers)


def essence(answer):
    return answer.headers["Content-Type"].split(";")[0]


class Answers(unittest.TestCase):
    def test_a_token_answer_is_json_that_nobody_keeps(self):
        answer = post("token_endpoint", GRANT)

        self.assertEqual((answer.status_code, essence(answer)), (200, "application/json"))
        self.assertIn("no-store", answer.headers["Cache-Control"])
        self.assertEqual(answer.headers["Pragma"], "no-cache")
        self.assertIs(type(answer.json()["expires_in"]), int)
        self.assertIs(type(answer.json()["scope"]), str)

    def test_introspection_is_json_that_nobody_keeps(self):
        token = post("token_endpoint", GRANT).json()["access_token"]

        for presented in (token, "unknown"):
            answer = post("introspection_endpoint", {"token": presented})

            self.assertEqual((answer.status_code, essence(answer)), (200, "application/json"))
            self.assertIn("no-store", answer.headers["Cache-Control"])

    def test_documents_are_json_and_may_be_read_by_any_origin(self):
        names = ("openid-configuration", "oauth-authorization-server", "oauth-protected-resource")
        urls = [f"{ISSUER}/.well-known/{name}" for name in names]
        urls += [f"{ISSUER}/.well-known/oauth-protected-resource/api", SERVER["jwks_uri"]]
        asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "mcp-protocol-version"}
        for url in urls:
            for origin in ("https://app.example", "https://elsewhere.example"):
                with self.subTest(url=url, origin=origin):
                    answer = requests.get(url, headers={"Origin": origin})
                    preflight = requests.options(url, headers={"Origin": origin, **asked})

                    self.assertEqual((answer.status_code, essence(answer)), (200, "application/json"))
                    self.assertIn(answer.headers["Access-Control-Allow-Origin"], ("*", origin))
                    self.assertTrue(preflight.ok)
                    self.assertIn(preflight.headers["Access-Control-Allow-Origin"], ("*", origin))
                    self.assertIn("mcp-protocol-version", preflight.headers["Access-Control-Allow-Headers"].lower())

    def test_documents_answer_head(self):
        for url in (f"{ISSUER}/.well-known/openid-configuration", SERVER["jwks_uri"]):
            answer = requests.head(url)

            self.assertEqual((answer.status_code, essence(answer), answer.content), (200, "application/json", b""))

    def test_both_documents_name_the_same_issuer_and_endpoints(self):
        oauth, openid = metadata(), metadata("openid-configuration")

        self.assertEqual(oauth["issuer"], ISSUER)
        self.assertEqual(oauth, {name: openid.get(name) for name in oauth})


class OtherOrigins(unittest.TestCase):
    """What a page of another origin needs: the server is started with one allowed origin."""

    ALLOWED = "https://app.example"

    def test_an_allowed_origin_may_ask_with_credentials_and_read_answers_and_errors(self):
        for endpoint in ("token_endpoint", "introspection_endpoint", "revocation_endpoint"):
            with self.subTest(endpoint=endpoint):
                asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}

                preflight = requests.options(SERVER[endpoint], headers={"Origin": self.ALLOWED, **asked})
                good = post(endpoint, GRANT | {"token": "unknown"}, Origin=self.ALLOWED)
                bad = post(endpoint, GRANT | {"token": "unknown"}, auth=(OPAQUE.id, "wrong"), Origin=self.ALLOWED)

                self.assertTrue(preflight.ok)
                self.assertIn("authorization", preflight.headers["Access-Control-Allow-Headers"].lower())
                self.assertEqual((good.status_code, bad.status_code), (200, 401))
                for answer in (preflight, good, bad):
                    self.assertEqual(answer.headers["Access-Control-Allow-Origin"], self.ALLOWED)

    def test_an_allowed_origin_may_ask_who_signed_in_and_read_why_not(self):
        asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"}
        url = ISSUER + "/userinfo"

        preflight = requests.options(url, headers={"Origin": self.ALLOWED, **asked})
        refused = requests.get(url, headers={"Origin": self.ALLOWED, "Authorization": "Bearer unknown"})

        self.assertEqual((preflight.status_code, refused.status_code), (204, 401))
        self.assertIn("www-authenticate", refused.headers["Access-Control-Expose-Headers"].lower())
        for answer in (preflight, refused):
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], self.ALLOWED)

    def test_another_origin_reads_nothing(self):
        answer = post("token_endpoint", GRANT, Origin="https://elsewhere.example")

        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)


class Errors(unittest.TestCase):
    def test_an_error_is_plain_json_for_whoever_asks_for_json(self):
        # The values that Spring Security, Authlib and oauth4webapi send.
        for accept in ("application/json", "application/json;charset=UTF-8", "application/json, application/*+json"):
            with self.subTest(accept=accept):
                answer = post("token_endpoint", GRANT | {"scope": "read:everything"}, Accept=accept)

                self.assertEqual((answer.status_code, essence(answer)), (400, "application/json"))
                self.assertEqual(answer.json()["error"], "invalid_scope")
                self.assertIn("no-store", answer.headers["Cache-Control"])
                self.assertIn("accept", answer.headers["Vary"].lower())

    def test_an_error_is_a_problem_document_otherwise(self):
        for accept in ("*/*", "application/problem+json"):
            with self.subTest(accept=accept):
                answer = post("token_endpoint", GRANT | {"scope": "read:everything"}, Accept=accept)

                self.assertEqual(essence(answer), "application/problem+json")
                self.assertEqual(answer.json()["error"], "invalid_scope")
                self.assertEqual(answer.json()["detail"], answer.json()["error_description"])

    def test_a_failed_authentication_is_401_with_a_challenge(self):
        by_basic = post("token_endpoint", GRANT, auth=(OPAQUE.id, "wrong"))
        by_post = post("token_endpoint", GRANT | {"client_id": OPAQUE.id, "client_secret": "wrong"}, auth=None)

        for answer in (by_basic, by_post):
            self.assertEqual(answer.status_code, 401)
            self.assertTrue(answer.headers["WWW-Authenticate"].startswith("Basic "))
            self.assertEqual(answer.json()["error"], "invalid_client")

    def test_descriptions_stay_within_the_characters_of_rfc_6749(self):
        for scope in ('"quoted"', "back\\slash", "naïve", "a" * 500):
            with self.subTest(scope=scope):
                answer = post("token_endpoint", GRANT | {"scope": scope})

                self.assertEqual(answer.json()["error"], "invalid_scope")
                self.assertRegex(answer.json()["error_description"], r"^[\x20-\x21\x23-\x5b\x5d-\x7e]+$")


class Requests(unittest.TestCase):
    def test_a_form_may_name_its_charset(self):
        answer = post("token_endpoint", "grant_type=client_credentials", Content_Type=FORM)

        self.assertEqual(answer.status_code, 200)

    def test_basic_may_be_encoded_to_the_last_character_or_not_at_all(self):
        plain = f"{OPAQUE.id}:{OPAQUE.secret}"
        encoded = re.sub(r"[^0-9A-Za-z:]", lambda found: f"%{ord(found[0]):02X}", plain)
        self.assertNotEqual(plain, encoded)

        for credentials in (plain, encoded):
            header = "Basic " + base64.b64encode(credentials.encode()).decode()
            answer = post("token_endpoint", GRANT, auth=None, Authorization=header)

            self.assertEqual(answer.status_code, 200)

    def test_an_empty_parameter_counts_as_absent(self):
        answer = post("token_endpoint", GRANT | {"scope": "", "resource": "", "client_id": ""})

        self.assertEqual(answer.status_code, 200)
        self.assertEqual(answer.json()["scope"], "read:orders write:orders")

    def test_a_repeated_parameter_is_refused(self):
        answer = post("token_endpoint", [("grant_type", "client_credentials")] * 2)

        self.assertEqual((answer.status_code, answer.json()["error"]), (400, "invalid_request"))

    def test_an_unknown_parameter_is_ignored(self):
        answer = post("token_endpoint", GRANT | {"extra": "foobar"})

        self.assertEqual(answer.status_code, 200)


if __name__ == "__main__":
    unittest.main()
