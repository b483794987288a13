"""requests-oauthlib. It raises when the granted scope is not the one it asked for."""

import unittest
import warnings

from oauthlib.oauth2 import BackendApplicationClient, InvalidClientError, InvalidScopeError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from world import OPAQUE, SCOPES, SERVER


def fetch(scope=None, secret=OPAQUE.secret, by_post=False):
    session = OAuth2Session(client=BackendApplicationClient(client_id=OPAQUE.id, scope=scope))
    if by_post:
        return session.fetch_token(SERVER["token_endpoint"], client_secret=secret, include_client_id=True)
    return session.fetch_token(SERVER["token_endpoint"], auth=HTTPBasicAuth(OPAQUE.id, secret))


class ClientCredentials(unittest.TestCase):
    def setUp(self):
        # "Scope has changed" is raised as a warning; no other one is expected either.
        warnings.simplefilter("error", Warning)
        self.addCleanup(warnings.resetwarnings)

    def test_a_token_comes_by_basic_and_by_post(self):
        for by_post in (False, True):
            with self.subTest(by_post=by_post):
                token = fetch(scope=["read:orders"], by_post=by_post)

                self.assertEqual(token["token_type"], "Bearer")
                self.assertEqual(token.scope, "read:orders")

    def test_the_scope_does_not_change_whatever_was_asked(self):
        for asked in (None, ["read:orders"], ["write:orders", "read:orders"], ["read:orders", "read:orders"]):
            with self.subTest(asked=asked):
                token = fetch(scope=asked)

                self.assertFalse(token.scope_changed)
                self.assertEqual(set(token.scopes), set(asked or SCOPES.split()))

    def test_the_id_may_stand_in_the_form_beside_basic(self):
        session = OAuth2Session(client=BackendApplicationClient(client_id=OPAQUE.id))

        token = session.fetch_token(
            SERVER["token_endpoint"], auth=HTTPBasicAuth(OPAQUE.id, OPAQUE.secret), include_client_id=True
        )

        self.assertIn("access_token", token)

    def test_a_wrong_secret_is_invalid_client(self):
        for by_post in (False, True):
            with self.subTest(by_post=by_post):
                with self.assertRaises(InvalidClientError) as refused:
                    fetch(secret="wrong", by_post=by_post)

                self.assertIn("secret", refused.exception.description)

    def test_an_unknown_scope_is_invalid_scope_and_is_named(self):
        with self.assertRaises(InvalidScopeError) as refused:
            fetch(scope=["read:everything"])

        self.assertIn("read:everything", refused.exception.description)
        self.assertTrue(refused.exception.uri.startswith("http"))


if __name__ == "__main__":
    unittest.main()
