"""The device grant (RFC 8628) with Authlib's sessions, which leave the polling to the app."""

import time
import unittest

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from person import NAME, decide
from world import SERVER, client

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
TELEVISION = client("TELEVISION")


def ask(scope="openid profile read:orders"):
    form = {"client_id": TELEVISION.id, "scope": scope}
    answer = requests.post(SERVER["device_authorization_endpoint"], data=form)
    answer.raise_for_status()
    return answer.json()


def session():
    return OAuth2Session(TELEVISION.id, token_endpoint_auth_method="none")


def poll(oauth, question):
    return oauth.fetch_token(SERVER["token_endpoint"], grant_type=GRANT, device_code=question["device_code"])


class DeviceGrant(unittest.TestCase):
    def refuses(self, question, word):
        with self.assertRaises(OAuthError) as refused:
            poll(session(), question)
        self.assertEqual(refused.exception.error, word)

    def test_a_device_waits_and_then_has_tokens(self):
        question, oauth = ask(), session()

        self.refuses(question, "authorization_pending")
        self.refuses(question, "slow_down")
        decide(question["verification_uri_complete"], "approve")
        time.sleep(question["interval"] + 5)
        token = poll(oauth, question)

        self.assertIn("id_token", token)
        self.assertEqual(token["scope"], "openid profile read:orders")
        info = oauth.get(SERVER["issuer"] + "/userinfo").json()
        self.assertEqual(info["preferred_username"], NAME)
        renewed = oauth.refresh_token(SERVER["token_endpoint"])
        self.assertNotEqual(renewed["access_token"], token["access_token"])

    def test_a_no_is_access_denied(self):
        question = ask()

        decide(question["verification_uri_complete"], "deny")

        self.refuses(question, "access_denied")

    def test_a_code_is_good_once(self):
        question = ask()
        decide(question["verification_uri_complete"], "approve")
        oauth = session()
        poll(oauth, question)

        self.refuses(question, "invalid_grant")

        self.assertEqual(oauth.get(SERVER["issuer"] + "/userinfo").status_code, 401)


if __name__ == "__main__":
    unittest.main()
