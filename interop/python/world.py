"""What the tests know of the server: where it is, who is registered, and how an operator speaks to it.

Everything comes from the environment that `interop/run` sets. Knows no client library.
"""

import base64
import json
import os
import subprocess
import time
from dataclasses import dataclass
from urllib.request import Request, urlopen

ISSUER = os.environ["ISSUER"]
AUDIENCE = ISSUER + "/api"
SCOPES = "read:orders write:orders"
# Where apps get their codes, and where they get a browser back after a sign-out.
CALLBACK, GOODBYE = os.environ["CALLBACK"], os.environ["GOODBYE"]


@dataclass(frozen=True)
class Client:
    id: str
    secret: str


def client(name):
    """A client that `interop/run` registered, by the name it has there."""
    return Client(os.environ[name + "_ID"], os.environ[name + "_SECRET"])


OPAQUE = client("OPAQUE")
RESOURCE_SERVER = client("RESOURCE_SERVER")
SIGNING = {"ES256": client("ES256"), "RS256": client("RS256"), "EdDSA": client("EDDSA")}
WEB, SPA = client("WEB"), client("SPA")
# May do everything in the declared API, in its own name.
SHOPKEEPER = client("SHOPKEEPER")
# Apps by what signs their id_tokens.
IDENTIFYING = {"RS256": WEB, "ES256": client("PAIRWISE"), "EdDSA": client("TOLD")}


def metadata(document="oauth-authorization-server"):
    with urlopen(f"{ISSUER}/.well-known/{document}") as answer:
        return json.load(answer)


SERVER = metadata()
OPENID = metadata("openid-configuration")


def token_of(client):
    """An access token for a machine, with all the scopes it is registered for."""
    pair = base64.b64encode(f"{client.id}:{client.secret}".encode()).decode()
    asked = Request(SERVER["token_endpoint"], b"grant_type=client_credentials", {"Authorization": "Basic " + pair})
    with urlopen(asked) as answer:
        return json.load(answer)["access_token"]


def operate(*arguments):
    """Runs a command of the operator beside the running server."""
    command = [os.environ["VALETKEY"], *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def eventually(ask, within=10.0):
    """Asks until the answer is true. A running server sees what an operator did within a second."""
    end = time.monotonic() + within
    while not (answer := ask()):
        if time.monotonic() > end:
            raise AssertionError(f"it did not come true within {within} s")
        time.sleep(0.05)
    return answer
