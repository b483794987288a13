"""A site made with Django and mozilla-django-oidc, from the button to an account of the site."""

import unittest
from urllib.parse import urlsplit

import django
from django.conf import settings

from person import EMAIL, Browser
from world import CALLBACK, OPENID, WEB

settings.configure(
    ALLOWED_HOSTS=["*"],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "mozilla_django_oidc",
    ],
    LOGIN_REDIRECT_URL="/welcome",
    LOGIN_REDIRECT_URL_FAILURE="/failed",
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "mozilla_django_oidc.middleware.SessionRefresh",
    ],
    OIDC_OP_AUTHORIZATION_ENDPOINT=OPENID["authorization_endpoint"],
    OIDC_OP_JWKS_ENDPOINT=OPENID["jwks_uri"],
    OIDC_OP_TOKEN_ENDPOINT=OPENID["token_endpoint"],
    OIDC_OP_USER_ENDPOINT=OPENID["userinfo_endpoint"],
    # By default the library expects an HMAC with the secret, and sends no challenge.
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_USE_PKCE=True,
    OIDC_RP_CLIENT_ID=WEB.id,
    OIDC_RP_CLIENT_SECRET=WEB.secret,
    OIDC_RP_SCOPES="openid email",
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for this test",
)
django.setup()

# These need the settings.
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import path  # noqa: E402
from mozilla_django_oidc.views import (  # noqa: E402
    OIDCAuthenticationCallbackView,
    OIDCAuthenticationRequestView,
    OIDCLogoutView,
)

urlpatterns = [
    path("login", OIDCAuthenticationRequestView.as_view(), name="oidc_authentication_init"),
    path("callback", OIDCAuthenticationCallbackView.as_view(), name="oidc_authentication_callback"),
    path("logout", OIDCLogoutView.as_view(), name="oidc_logout"),
    path("welcome", lambda request: HttpResponse(request.user.email)),
]


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call_command("migrate", verbosity=0)

    def setUp(self):
        host = urlsplit(CALLBACK).netloc
        self.visitor, self.browser = Client(SERVER_NAME=host), Browser()

    def open(self, url):
        parts = urlsplit(url)
        return self.visitor.get(parts._replace(scheme="", netloc="").geturl(), secure=True)

    def test_a_visitor_gets_an_account_by_email(self):
        asked = self.open("/login")

        entered = self.open(self.browser.visit(asked.url))

        self.assertEqual(entered.url, "/welcome")
        self.assertEqual(self.open("/welcome").content.decode(), EMAIL)
        self.assertEqual(get_user_model().objects.get().email, EMAIL)

    def test_a_sign_in_is_renewed_without_a_page(self):
        self.open(self.browser.visit(self.open("/login").url))
        session = self.visitor.session
        session["oidc_id_token_expiration"] = 1
        session.save()

        asked = self.open("/welcome")
        renewed = self.open(self.browser.visit(asked.url))

        self.assertIn("prompt=none", asked.url)
        self.assertEqual(urlsplit(renewed.url).path, "/welcome")

    def test_a_visitor_who_signed_out_elsewhere_has_to_sign_in_again(self):
        self.open(self.browser.visit(self.open("/login").url))
        session = self.visitor.session
        session["oidc_id_token_expiration"] = 1
        session.save()

        failed = self.open(Browser().visit(self.open("/welcome").url))

        self.assertEqual(failed.url, "/failed")
        self.assertNotIn("_auth_user_id", self.visitor.session)


if __name__ == "__main__":
    unittest.main()
