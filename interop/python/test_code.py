"""The authorization code with PKCE: Authlib on requests and on httpx, and requests-oauthlib. PyJWT and joserfc read the
id_token."""

import asyncio
import base64
import hashlib
import unittest
import warnings
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client, OAuth2Client
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet
from oauthlib.oauth2 import AccessDeniedError, InvalidGrantError, OAuth2Error
from requests_oauthlib import OAuth2Session as Oauthlib

from person import EMAIL, NAME, Browser
from world import CALLBACK, IDENTIFYING, ISSUER, OPENID, SPA, WEB

SCOPE = "openid profile email read:orders"
TOKEN, USERINFO = OPENID["token_endpoint"], OPENID["userinfo_endpoint"]
# One sign-in for all tests that are not about it.
ADA = Browser()


def session(transport=OAuth2Session, who=WEB, **options):
    """An app as Authlib's documentation shows it."""
    options = {"redirect_uri": CALLBACK, "scope": SCOPE, "token_endpoint": TOKEN, **options}
    return transport(who.id, who.secret, code_challenge_method="S256", **options)


def answer(oauth, verifier, browser=ADA, **more):
    link, state = oauth.create_authorization_url(OPENID["authorization_endpoint"], code_verifier=verifier, **more)
    return browser.visit(link), state


def sign_in(oauth, browser=ADA, **more):
    verifier = generate_token(48)
    back, state = answer(oauth, verifier, browser, **more)
    return oauth.fetch_token(TOKEN, authorization_response=back, code_verifier=verifier, state=state)


class Authlib(unittest.TestCase):
    def test_an_app_learns_who_signed_in_over_both_transports(self):
        for transport in (OAuth2Session, OAuth2Client):
            for method in ("client_secret_basic", "client_secret_post"):
                with self.subTest(transport=transport.__module__, method=method):
                    oauth = session(transport, token_endpoint_auth_method=method)

                    token = sign_in(oauth, Browser(), nonce=generate_token())
                    info = oauth.get(USERINFO).json()

                    self.assertEqual((token["token_type"], token["scope"]), ("Bearer", SCOPE))
                    self.assertEqual((info["preferred_username"], info["email"]), (NAME, EMAIL))

    def test_an_app_without_a_secret_gets_its_tokens_by_the_verifier_alone(self):
        oauth = session(who=SPA)

        first = sign_in(oauth)
        second = oauth.refresh_token(TOKEN)

        self.assertNotEqual(first["refresh_token"], second["refresh_token"])

    def test_an_asynchronous_app_signs_in_and_refreshes(self):
        async def flow():
            async with session(AsyncOAuth2Client) as oauth:
                verifier = generate_token(48)
                back, state = answer(oauth, verifier)
                await oauth.fetch_token(TOKEN, authorization_response=back, code_verifier=verifier, state=state)
                await oauth.refresh_token(TOKEN)
                return (await oauth.get(USERINFO)).json()

        self.assertEqual(asyncio.run(flow())["preferred_username"], NAME)

    def test_an_expired_token_is_renewed_in_passing_and_the_app_is_told(self):
        for transport in (OAuth2Session, OAuth2Client):
            with self.subTest(transport=transport.__module__):
                told = []
                oauth = session(transport, update_token=lambda token, refresh_token=None, **_: told.append(token))
                first = dict(sign_in(oauth))
                oauth.token = {**first, "expires_at": 1}

                info = oauth.get(USERINFO)

                self.assertEqual(info.status_code, 200)
                self.assertEqual([token["refresh_token"] for token in told], [oauth.token["refresh_token"]])
                self.assertNotEqual(told[0]["refresh_token"], first["refresh_token"])

    def test_a_refresh_token_used_twice_ends_everything(self):
        oauth = session()
        first = sign_in(oauth)["refresh_token"]
        oauth.refresh_token(TOKEN)

        for presented in (first, oauth.token["refresh_token"]):
            with self.assertRaises(OAuthError) as refused:
                oauth.refresh_token(TOKEN, refresh_token=presented)
            self.assertEqual(refused.exception.error, "invalid_grant")

        self.assertEqual(oauth.get(USERINFO).status_code, 401)

    def test_a_revoked_refresh_token_takes_its_access_token_along(self):
        for who in (WEB, SPA):
            with self.subTest(client=who.id):
                oauth = session(who=who)
                token = sign_in(oauth)["refresh_token"]

                revoked = oauth.revoke_token(OPENID["revocation_endpoint"], token, token_type_hint="refresh_token")

                self.assertEqual((revoked.status_code, oauth.get(USERINFO).status_code), (200, 401))

    def test_a_wrong_verifier_and_another_redirect_uri_are_invalid_grant(self):
        wrongs = ({"code_verifier": generate_token(48)}, {"redirect_uri": CALLBACK + "/"})
        for wrong in wrongs:
            with self.subTest(wrong=list(wrong)):
                oauth, verifier = session(), generate_token(48)
                back, state = answer(oauth, verifier)
                sent = {"code_verifier": verifier, **wrong}

                with self.assertRaises(OAuthError) as refused:
                    oauth.fetch_token(TOKEN, authorization_response=back, state=state, **sent)

                self.assertEqual(refused.exception.error, "invalid_grant")

    def test_an_app_that_forgets_pkce_is_told_so_in_the_answer(self):
        back, state = answer(session(), None)

        told = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}

        self.assertEqual((told["error"], told["state"], told["iss"]), ("invalid_request", state, ISSUER))
        self.assertIn("code_challenge", told["error_description"])


class IdTokens(unittest.TestCase):
    def test_authlib_accepts_every_algorithm_with_nonce_and_at_hash(self):
        keys = KeySet.import_key_set(httpx.get(OPENID["jwks_uri"]).json())
        for algorithm, who in IDENTIFYING.items():
            with self.subTest(algorithm=algorithm):
                nonce = generate_token()
                token = sign_in(session(who=who), nonce=nonce, max_age=600)

                signed = joserfc_jwt.decode(token["id_token"], keys, algorithms=[algorithm])
                expected = {"iss": {"values": [ISSUER]}, "aud": {"values": [who.id]}}
                known = {"nonce": nonce, "client_id": who.id, "access_token": token["access_token"], "max_age": 600}
                claims = CodeIDToken(signed.claims, signed.header, expected, known)
                claims.validate(leeway=0)

                self.assertIn("at_hash", claims)

    def test_pyjwt_accepts_every_algorithm_by_the_published_keys_without_leeway(self):
        keys = jwt.PyJWKClient(OPENID["jwks_uri"])
        for algorithm, who in IDENTIFYING.items():
            with self.subTest(algorithm=algorithm):
                token = sign_in(session(who=who), nonce="n-1")
                key = keys.get_signing_key_from_jwt(token["id_token"])

                read = jwt.decode_complete(
                    token["id_token"], key, algorithms=[algorithm], audience=who.id, issuer=ISSUER, leeway=0
                )

                # Ed25519 hashes with SHA-512 by itself, hence so does the id_token.
                hashed = hashlib.new("sha512" if algorithm == "EdDSA" else "sha256", token["access_token"].encode())
                left = hashed.digest()[: hashed.digest_size // 2]
                half = base64.urlsafe_b64encode(left).rstrip(b"=").decode()
                self.assertEqual((read["payload"]["at_hash"], read["payload"]["nonce"]), (half, "n-1"))

    def test_a_refreshed_id_token_is_of_the_same_sign_in(self):
        oauth = session()
        first = sign_in(oauth, nonce="n-2")["id_token"]

        second = oauth.refresh_token(TOKEN)["id_token"]

        claims = [jwt.decode(token, options={"verify_signature": False}) for token in (first, second)]
        for name in ("iss", "sub", "aud", "auth_time", "sid"):
            self.assertEqual(claims[0][name], claims[1][name], name)


class RequestsOauthlib(unittest.TestCase):
    def setUp(self):
        # "Scope has changed" is raised as a warning; no other one is expected either.
        warnings.simplefilter("error", Warning)
        self.addCleanup(warnings.resetwarnings)

    def app(self, who=WEB, scope=SCOPE, **options):
        return Oauthlib(who.id, redirect_uri=CALLBACK, scope=scope.split(), pkce="S256", **options)

    def test_an_app_learns_who_signed_in(self):
        for how in ({"client_secret": WEB.secret}, {"client_secret": WEB.secret, "include_client_id": True}):
            with self.subTest(how=list(how)):
                oauth = self.app()

                link, _ = oauth.authorization_url(OPENID["authorization_endpoint"])
                token = oauth.fetch_token(TOKEN, authorization_response=ADA.visit(link), **how)

                self.assertFalse(token.scope_changed)
                self.assertEqual(oauth.get(USERINFO).json()["email"], EMAIL)

    def test_an_app_without_a_secret_learns_it_too(self):
        oauth = self.app(SPA)

        link, _ = oauth.authorization_url(OPENID["authorization_endpoint"])
        oauth.fetch_token(TOKEN, authorization_response=ADA.visit(link), include_client_id=True)
        renewed = oauth.refresh_token(TOKEN, client_id=SPA.id)

        self.assertEqual(" ".join(renewed["scope"]), SCOPE)

    def test_an_expired_token_is_renewed_in_passing(self):
        kept = []
        credentials = {"client_id": WEB.id, "client_secret": WEB.secret}
        oauth = self.app(auto_refresh_url=TOKEN, auto_refresh_kwargs=credentials, token_updater=kept.append)
        link, _ = oauth.authorization_url(OPENID["authorization_endpoint"])
        first = oauth.fetch_token(TOKEN, authorization_response=ADA.visit(link), client_secret=WEB.secret)
        oauth.token = {**first, "expires_in": -1, "expires_at": 1}

        info = oauth.get(USERINFO)

        self.assertEqual(info.status_code, 200)
        self.assertNotEqual(kept[0]["refresh_token"], first["refresh_token"])

    def test_a_no_and_a_wrong_verifier_are_errors_of_their_own(self):
        oauth = self.app()
        link, _ = oauth.authorization_url(OPENID["authorization_endpoint"], prompt="consent")
        with self.assertRaises(AccessDeniedError):
            oauth.fetch_token(TOKEN, authorization_response=ADA.visit(link, "deny"), client_secret=WEB.secret)

        oauth = self.app()
        link, _ = oauth.authorization_url(OPENID["authorization_endpoint"])
        oauth._code_verifier = generate_token(48)
        with self.assertRaises(InvalidGrantError):
            oauth.fetch_token(TOKEN, authorization_response=ADA.visit(link), client_secret=WEB.secret)

    def test_a_silent_request_without_a_sign_in_is_login_required(self):
        oauth = self.app()
        link, _ = oauth.authorization_url(OPENID["authorization_endpoint"], prompt="none")

        with self.assertRaises(OAuth2Error) as refused:
            oauth.fetch_token(TOKEN, authorization_response=Browser().visit(link), client_secret=WEB.secret)

        self.assertEqual(refused.exception.error, "login_required")


if __name__ == "__main__":
    unittest.main()
