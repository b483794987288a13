"""A site made with Flask and Authlib's registry, which reads the metadata and checks the id_token by itself."""

import unittest
from urllib.parse import urlsplit

from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, session, url_for

from person import EMAIL, NAME, Browser
from world import CALLBACK, GOODBYE, IDENTIFYING, ISSUER, WEB


def site(who=WEB, **more):
    """The site of Authlib's documentation. What its pages answer is for the tests to read."""
    app = Flask("site")
    app.secret_key = "only for this test"
    known = {"server_metadata_url": f"{ISSUER}/.well-known/openid-configuration"}
    asked = {"scope": "openid profile email offline_access", "code_challenge_method": "S256"}
    valetkey = OAuth(app).register("valetkey", client_id=who.id, client_secret=who.secret, client_kwargs=asked, **known)

    @app.get("/login")
    def login():
        return valetkey.authorize_redirect(url_for("callback", _external=True), **more)

    @app.route("/callback", methods=["GET", "POST"])
    def callback():
        try:
            token = valetkey.authorize_access_token()
        except OAuthError as refused:
            return {"error": refused.error}
        session["id_token"] = token["id_token"]
        return {"identity": token["userinfo"], "info": valetkey.userinfo(token=token)}

    @app.get("/logout")
    def logout():
        return valetkey.logout_redirect(url_for("goodbye", _external=True), session["id_token"])

    @app.get("/goodbye")
    def goodbye():
        return {"validated": bool(valetkey.validate_logout_response())}

    return app.test_client()


def at(visitor, url, **more):
    """Opens a page of the site at its public address."""
    path = urlsplit(url)._replace(scheme="", netloc="").geturl()
    return visitor.open(path, base_url=CALLBACK.removesuffix("/callback"), **more)


class Site(unittest.TestCase):
    def test_a_visitor_signs_in_and_out(self):
        visitor, browser = site(), Browser()

        back = browser.visit(at(visitor, "/login").location)
        seen = at(visitor, back).json
        gone = browser.leave(at(visitor, "/logout").location)

        self.assertEqual(seen["identity"]["sub"], seen["info"]["sub"])
        self.assertEqual((seen["info"]["preferred_username"], seen["info"]["email"]), (NAME, EMAIL))
        self.assertTrue(gone.startswith(GOODBYE))
        self.assertTrue(at(visitor, gone).json["validated"])

    def test_the_answer_may_come_by_a_form(self):
        visitor = site(response_mode="form_post")

        back = urlsplit(Browser().visit(at(visitor, "/login").location))
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        seen = at(visitor, back.path, method="POST", data=back.query, headers=headers).json

        self.assertEqual(seen["info"]["preferred_username"], NAME)

    def test_every_algorithm_of_id_tokens_is_found_in_the_metadata(self):
        for algorithm, who in IDENTIFYING.items():
            with self.subTest(algorithm=algorithm):
                visitor = site(who)

                seen = at(visitor, Browser().visit(at(visitor, "/login").location)).json

                self.assertEqual(seen["identity"]["aud"], who.id)

    def test_a_visitor_who_says_no_comes_back_with_access_denied(self):
        visitor = site(prompt="consent")

        back = Browser().visit(at(visitor, "/login").location, "deny")

        self.assertEqual(at(visitor, back).json, {"error": "access_denied"})


if __name__ == "__main__":
    unittest.main()
