"""What no generator of requests can know of a server: hooks for schemathesis, loaded by its command line.

They give it what only the server issues: ids, revisions, cursors, and keys that were never used. What was made wrong on
purpose is left as it is, so that no check is spared. Takes `ISSUER`, `API_TOKEN` and `API_DOCUMENT`, the address of the
description, from the environment.
"""

import os
import re
import uuid

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation as Part
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import TestPhase

session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["API_TOKEN"]
# Rows are made in the version of requests that say none; requests go where the description says.
API = os.environ["ISSUER"] + "/api"
DESCRIBED = session.get(os.environ["API_DOCUMENT"]).json()["servers"][0]["url"]

TAGS = re.compile(r'(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)')
KEY = re.compile(r'[!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}"')
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def made(path, **fields):
    answer = session.post(f"{API}/{path}", json=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def a_user():
    return made("users", name="Ada", email=f"{uuid.uuid4()}@example.org")


# Rows that other rows can refer to. A deletion of them is refused as long as one does.
USER = a_user()
ORDER = made("orders", amount=1, user_id=USER)
PAYMENT = made("payments", amount=1, order_id=ORDER)
REFERRED = {"user_id": USER, "order_id": ORDER}
OPERATION = session.post(f"{API}/payments/{PAYMENT}/refund").json()["id"]
THERE = {"users": USER, "orders": ORDER, "payments": PAYMENT, "operations": OPERATION}
NEW = {
    "users": a_user,
    "orders": lambda: made("orders", amount=1, user_id=USER),
    "payments": lambda: made("payments", amount=1, order_id=ORDER),
    "operations": lambda: OPERATION,
}
# Something in each row that may come and go, and what it may be.
OPTIONAL = {"users": ("/tags", ["new"]), "orders": ("/note", "new"), "payments": ("/order_id", ORDER)}


def kind_of(case):
    return re.search(r"/(\w+)/\{id\}", case.operation.path)[1]


def is_id(value):
    return isinstance(value, str) and UUID.fullmatch(value)


def is_sound(case, part):
    """Whether this part of a request is as its schema wants it: nothing in it was made wrong on purpose."""
    about = case.meta and case.meta.components.get(part)
    return about is None or about.mode == GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    place(case)
    if is_sound(case, Part.BODY):
        if isinstance(case.body, dict):
            refer(case.body)
        elif isinstance(case.body, list) and all(isinstance(step, dict) for step in case.body):
            aim(case)
    if case.query and is_sound(case, Part.QUERY):
        # Only `links` know cursors, and only for the same list.
        case.query.pop("cursor", None)
        forget(case)
    guard(case)


def place(case):
    """A row that is there, in place of an id that nothing has. Steps that follow others know their row themselves."""
    if case.meta is None or case.meta.phase.name == TestPhase.STATEFUL or not is_sound(case, Part.PATH):
        return
    names = case.path_parameters
    if is_id(names.get("user_id")):
        names["user_id"] = USER
    # Every second one, so that missing rows are met as well.
    if is_id(names.get("id")) and int(names["id"][-1], 16) % 2:
        kind = kind_of(case)
        names["id"] = THERE[kind] if case.method in ("GET", "HEAD") else NEW[kind]()


def forget(case):
    """A step takes along what an earlier answer says of a row. Where that is `null`, there is nothing to take, and no word for it."""
    if case.meta and case.meta.phase.name == TestPhase.STATEFUL:
        for name in [name for name, value in case.query.items() if value is None]:
            del case.query[name]


def refer(body):
    for name, existing in REFERRED.items():
        if is_id(body.get(name)):
            body[name] = existing


def aim(case):
    """Steps of a patch at something that is there. What others make of a row is not for the schema of a patch to say."""
    path, value = OPTIONAL[kind_of(case)]
    for step in case.body:
        step["path"] = path
        if "from" in step:
            step["from"] = path
        if step.get("op") in ("add", "replace"):
            step["value"] = value


def guard(case):
    """Preconditions that hold, and keys of their own, in place of invented ones."""
    headers = case.headers
    for name in list(headers or ()):
        value = headers[name]
        if name.lower() == "if-match" and isinstance(value, str) and TAGS.fullmatch(value):
            headers[name] = current_tag(case)
        elif name.lower() == "if-none-match" and value == "*":
            # It holds for no row that is there: every answer would be a 304 without a body.
            headers[name] = '"another"'
        elif name.lower() == "idempotency-key" and isinstance(value, str) and KEY.fullmatch(value):
            headers[name] = str(uuid.uuid4())


def current_tag(case):
    if "/payments/" in case.operation.path:
        # A refund goes on after its answer, so that what was current a moment ago need not be any more.
        return "*"
    row = case.formatted_path.removesuffix("/")
    # An action stands below its row.
    row = row if case.operation.path.endswith("}") else row.rpartition("/")[0]
    return session.get(DESCRIBED + row).headers.get("ETag", "*")
