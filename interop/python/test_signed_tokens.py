"""JWT access tokens as resource servers check them: PyJWT with its key client, and joserfc."""

import unittest

import httpx
import jwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet

from world import AUDIENCE, ISSUER, SERVER, SIGNING, eventually, operate


def issue(who, **form):
    answer = httpx.post(
        SERVER["token_endpoint"], auth=(who.id, who.secret), data={"grant_type": "client_credentials", **form}
    )
    return answer.raise_for_status().json()["access_token"]


def key_client():
    """Unknown keys are fetched at once; by default PyJWT waits for half a minute after the last fetch."""
    return jwt.PyJWKClient(SERVER["jwks_uri"], cooldown_duration=0)


def check(token, keys, algorithm):
    key = keys.get_signing_key_from_jwt(token)
    required = ["iss", "sub", "aud", "exp", "iat", "jti", "client_id"]
    return jwt.decode(
        token, key, algorithms=[algorithm], audience=AUDIENCE, issuer=ISSUER, leeway=0, options={"require": required}
    )


class Validation(unittest.TestCase):
    def test_pyjwt_accepts_every_algorithm_without_leeway(self):
        for algorithm, who in SIGNING.items():
            with self.subTest(algorithm=algorithm):
                token = issue(who, scope="read:orders")

                claims = check(token, key_client(), algorithm)

                self.assertEqual((claims["client_id"], claims["scope"]), (who.id, "read:orders"))
                self.assertEqual(jwt.get_unverified_header(token)["typ"], "at+jwt")

    def test_joserfc_accepts_every_algorithm(self):
        keys = KeySet.import_key_set(httpx.get(SERVER["jwks_uri"]).json())
        rules = joserfc_jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": ISSUER},
            aud={"essential": True, "value": AUDIENCE},
            exp={"essential": True},
        )
        for algorithm, who in SIGNING.items():
            with self.subTest(algorithm=algorithm):
                token = joserfc_jwt.decode(issue(who), keys, algorithms=[algorithm])

                rules.validate(token.claims)

    def test_another_audience_is_refused(self):
        token = issue(SIGNING["RS256"])
        key = key_client().get_signing_key_from_jwt(token)

        with self.assertRaises(jwt.InvalidAudienceError):
            jwt.decode(token, key, algorithms=["RS256"], audience="https://elsewhere.example")

    def test_a_changed_token_is_refused(self):
        head, body, signature = issue(SIGNING["ES256"]).split(".")
        changed = ".".join([head, body, ("B" if signature[0] == "A" else "A") + signature[1:]])

        with self.assertRaises(jwt.InvalidSignatureError):
            check(changed, key_client(), "ES256")


class Rotation(unittest.TestCase):
    def test_a_client_with_cached_keys_follows_a_rotation(self):
        for algorithm, who in SIGNING.items():
            with self.subTest(algorithm=algorithm):
                keys = key_client()
                old = issue(who)
                check(old, keys, algorithm)
                old_kid = jwt.get_unverified_header(old)["kid"]

                operate("key", "rotate", algorithm.lower(), "--now")
                new = eventually(lambda: fresh(who, old_kid))

                check(new, keys, algorithm)
                check(old, keys, algorithm)

    def test_a_published_key_signs_nothing_yet(self):
        who = SIGNING["ES256"]
        before = jwt.get_unverified_header(issue(who))["kid"]
        known = {key.key_id for key in key_client().get_signing_keys()}

        operate("key", "rotate", "es256")
        eventually(lambda: {key.key_id for key in key_client().get_signing_keys()} > known)

        self.assertEqual(jwt.get_unverified_header(issue(who))["kid"], before)


def fresh(who, old_kid):
    token = issue(who)
    return token if jwt.get_unverified_header(token)["kid"] != old_kid else None


if __name__ == "__main__":
    unittest.main()
