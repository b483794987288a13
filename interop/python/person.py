"""A person with a browser: cookies, forms and the pages that an app never sees. Knows no client library."""

import html
import os
import re
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

NAME, EMAIL, PASSWORD = (os.environ["PERSON_" + what] for what in ("NAME", "EMAIL", "PASSWORD"))


class Left(Exception):
    """The server sent the browser elsewhere, to where nobody of the tests listens."""


class Home(HTTPRedirectHandler):
    def redirect_request(self, request, body, status, message, headers, url):
        if urlsplit(url).netloc != urlsplit(request.full_url).netloc:
            raise Left(url)
        return super().redirect_request(request, body, status, message, headers, url)


class Browser:
    """One that nobody has signed in with yet. It goes where the server sends it, and stops where the server ends."""

    def __init__(self):
        self.opener = build_opener(Home(), HTTPCookieProcessor(CookieJar(DefaultCookiePolicy())))

    def open(self, url, form=None):
        body = None if form is None else urlencode(form).encode()
        with self.opener.open(Request(url, body, {"Accept": "text/html"})) as answer:
            return answer.read().decode()

    def send(self, page, url, **more):
        """Sends the form of a page: its hidden fields, and what the person adds."""
        return self.open(url, {**hidden(page), **more})

    def visit(self, link, decision="approve"):
        """Follows the link of an app, signs in if asked to, and decides if asked to. Answers with the address by which
        the app gets its answer; what comes by a form is a query there, too."""
        try:
            page = self.open(link)
            if 'id="login-submit"' in page:
                page = self.send(page, urljoin(link, "/login"), username=NAME, password=PASSWORD)
            if 'id="consent-approve"' in page:
                page = self.send(page, urljoin(link, "/consent"), decision=decision)
        except Left as left:
            return str(left)
        form = re.search(r'id="form-post" method="post" action="([^"]*)"', page)
        assert form, page
        return f"{html.unescape(form[1])}?{urlencode(hidden(page))}"

    def leave(self, link):
        """Follows a link to the page of sign-outs and says yes if asked. Answers with where the app gets the browser
        back, or with nothing if it does not."""
        try:
            page = self.open(link)
            if 'id="logout-confirm"' in page:
                self.send(page, urljoin(link, "/logout"))
        except Left as left:
            return str(left)
        return None


def hidden(page):
    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in inputs}


def decide(link, decision):
    """Follows the link that a device shows, signs in, and decides about the device."""
    browser, device = Browser(), urljoin(link, "/device")
    code = parse_qs(urlsplit(link).query)["user_code"][0]
    login = browser.open(link)
    field = browser.send(login, urljoin(link, "/login"), username=NAME, password=PASSWORD)
    question = browser.send(field, device, user_code=code)
    return browser.send(question, device, decision=decision)
