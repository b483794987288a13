"""Authlib, on requests and on httpx. It sends Basic credentials without form-encoding them."""

import asyncio
import json
import unittest

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client, OAuth2Client
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6750.errors import InsufficientScopeError, InvalidTokenError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc.jwk import KeySet

from world import AUDIENCE, ISSUER, OPAQUE, RESOURCE_SERVER, SCOPES, SERVER, SIGNING, metadata

METHODS = ("client_secret_basic", "client_secret_post")
TRANSPORTS = (OAuth2Session, OAuth2Client)


def session(transport=OAuth2Session, who=OPAQUE, **options):
    return transport(who.id, who.secret, **options)


class Discovery(unittest.TestCase):
    def test_the_server_metadata_is_sound(self):
        # Authlib insists on https, which a server on loopback does not have.
        document = json.loads(json.dumps(metadata()).replace("http://", "https://"))
        if document["response_types_supported"] == []:
            # RFC 8414 asks for a list, Authlib for one that is not empty. A server without the code flow has none.
            document["response_types_supported"] = ["code"]

        AuthorizationServerMetadata(document).validate()

    def test_the_openid_document_has_what_every_provider_must_say(self):
        document = OpenIDProviderMetadata(metadata("openid-configuration"))

        document.validate_jwks_uri()
        document.validate_subject_types_supported()
        document.validate_id_token_signing_alg_values_supported()

        self.assertIn("RS256", document["id_token_signing_alg_values_supported"])


class ClientCredentials(unittest.TestCase):
    def test_a_token_comes_by_basic_and_by_post_over_both_transports(self):
        for transport in TRANSPORTS:
            for method in METHODS:
                with self.subTest(transport=transport.__module__, method=method):
                    oauth = session(transport, token_endpoint_auth_method=method, scope="read:orders")

                    token = oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")

                    self.assertEqual(token["token_type"], "Bearer")
                    self.assertEqual(token["scope"], "read:orders")
                    self.assertGreater(token["expires_in"], 0)
                    self.assertFalse(token.is_expired())

    def test_a_token_comes_to_an_asynchronous_client(self):
        async def fetch():
            async with session(AsyncOAuth2Client) as oauth:
                return await oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")

        token = asyncio.run(fetch())

        self.assertEqual(token["scope"], SCOPES)

    def test_a_wrong_secret_is_invalid_client(self):
        for transport in TRANSPORTS:
            for method in METHODS:
                with self.subTest(transport=transport.__module__, method=method):
                    oauth = transport(OPAQUE.id, "wrong", token_endpoint_auth_method=method)

                    with self.assertRaises(OAuthError) as refused:
                        oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")

                    self.assertEqual(refused.exception.error, "invalid_client")
                    self.assertIn("secret", refused.exception.description)

    def test_an_unknown_scope_is_invalid_scope_and_is_named(self):
        oauth = session(scope="read:everything")

        with self.assertRaises(OAuthError) as refused:
            oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")

        self.assertEqual(refused.exception.error, "invalid_scope")
        self.assertIn("read:everything", refused.exception.description)


class IntrospectionAndRevocation(unittest.TestCase):
    def test_a_revoked_token_is_inactive_over_both_transports(self):
        for transport in TRANSPORTS:
            for method in METHODS:
                with self.subTest(transport=transport.__module__, method=method):
                    oauth = session(transport, token_endpoint_auth_method=method)
                    token = oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")["access_token"]

                    before = oauth.introspect_token(SERVER["introspection_endpoint"], token=token).json()
                    revoked = oauth.revoke_token(SERVER["revocation_endpoint"], token=token)
                    after = oauth.introspect_token(SERVER["introspection_endpoint"], token=token).json()

                    self.assertEqual((before["active"], before["client_id"]), (True, OPAQUE.id))
                    self.assertEqual(revoked.status_code, 200)
                    self.assertEqual(after, {"active": False})

    def test_a_wrong_hint_is_only_a_hint(self):
        oauth = session()
        token = oauth.fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")["access_token"]
        hint = {"token": token, "token_type_hint": "refresh_token"}

        found = oauth.introspect_token(SERVER["introspection_endpoint"], **hint).json()
        oauth.revoke_token(SERVER["revocation_endpoint"], **hint)
        after = oauth.introspect_token(SERVER["introspection_endpoint"], token=token).json()

        self.assertTrue(found["active"])
        self.assertFalse(after["active"])

    def test_revoking_an_unknown_token_succeeds(self):
        revoked = session().revoke_token(SERVER["revocation_endpoint"], token="nobody-issued-this")

        self.assertEqual(revoked.status_code, 200)

    def test_a_resource_server_sees_the_tokens_of_others(self):
        for who in (OPAQUE, *SIGNING.values()):
            with self.subTest(client=who.id):
                token = session(who=who).fetch_token(SERVER["token_endpoint"], grant_type="client_credentials")

                seen = session(who=RESOURCE_SERVER).introspect_token(
                    SERVER["introspection_endpoint"], token=token["access_token"]
                )

                self.assertEqual(seen.json()["client_id"], who.id)
                self.assertEqual(seen.json()["aud"], AUDIENCE)


class Guard(JWTBearerTokenValidator):
    """A resource server as Authlib's documentation shows it."""

    def get_jwks(self):
        return KeySet.import_key_set(requests.get(SERVER["jwks_uri"]).json())


class JwtAccessTokens(unittest.TestCase):
    def validate(self, text, scopes, audience=AUDIENCE):
        guard = Guard(issuer=ISSUER, resource_server=audience)
        token = guard.authenticate_token(text)
        guard.validate_token(token, scopes, None)
        return token

    def test_the_rfc_9068_validator_accepts_a_token(self):
        # Not EdDSA: the validator takes only what joserfc recommends, and cannot be told otherwise.
        for algorithm in ("ES256", "RS256"):
            who = SIGNING[algorithm]
            with self.subTest(algorithm=algorithm):
                token = session(who=who, scope="read:orders").fetch_token(
                    SERVER["token_endpoint"], grant_type="client_credentials"
                )

                claims = self.validate(token["access_token"], ["read:orders"])

                self.assertEqual((claims["sub"], claims["client_id"]), (who.id, who.id))

    def test_a_missing_scope_and_a_foreign_audience_are_told_apart(self):
        token = session(who=SIGNING["RS256"], scope="read:orders").fetch_token(
            SERVER["token_endpoint"], grant_type="client_credentials"
        )["access_token"]

        with self.assertRaises(InsufficientScopeError):
            self.validate(token, ["write:orders"])
        with self.assertRaises(InvalidTokenError):
            self.validate(token, ["read:orders"], audience="https://elsewhere.example")


if __name__ == "__main__":
    unittest.main()
