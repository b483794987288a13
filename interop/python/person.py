"""A person with a browser: cookies, forms and the pages that an app never sees. Knows no client library."""

import os
import re
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

NAME = os.environ["PERSON_NAME"]


class Browser:
    """One that nobody has signed in with yet."""

    def __init__(self):
        self.opener = build_opener(HTTPCookieProcessor(CookieJar(DefaultCookiePolicy())))

    def open(self, url, form=None):
        body = None if form is None else urlencode(form).encode()
        with self.opener.open(Request(url, body, {"Accept": "text/html"})) as answer:
            return answer.read().decode()

    def send(self, page, url, **more):
        """Sends the form of a page: its hidden fields, and what the person adds."""
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
        return self.open(url, {**hidden, **more})


def decide(link, decision):
    """Follows the link that a device shows, signs in, and decides about the device."""
    browser, device = Browser(), urljoin(link, "/device")
    code = parse_qs(urlsplit(link).query)["user_code"][0]
    login = browser.open(link)
    field = browser.send(login, urljoin(link, "/login"), username=NAME, password=os.environ["PERSON_PASSWORD"])
    question = browser.send(field, device, user_code=code)
    return browser.send(question, device, decision=decision)
