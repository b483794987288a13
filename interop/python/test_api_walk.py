"""A program that somebody wrote after reading `docs/api.md`, with plain httpx and nothing that knows this server."""

import unittest
import uuid

import httpx

from world import ISSUER, SHOPKEEPER, token_of


def email():
    return f"{uuid.uuid4()}@example.org"


class Walk(unittest.TestCase):
    def setUp(self):
        bearer = {"Authorization": "Bearer " + token_of(SHOPKEEPER)}
        self.api = httpx.Client(base_url=ISSUER, headers=bearer, timeout=30)
        self.addCleanup(self.api.close)

    def make_user(self):
        return self.api.post("/api/users", json={"name": "Ada", "email": email()})

    def test_a_row_is_made_read_and_found_where_location_says(self):
        made = self.make_user()
        read = self.api.get(made.headers["Location"])

        self.assertEqual((made.status_code, read.status_code), (201, 200))
        self.assertEqual(read.json(), made.json())
        self.assertEqual(read.headers["ETag"], made.headers["ETag"])
        self.assertEqual(read.json()["links"]["self"], made.headers["Location"])
        again = self.api.get(made.headers["Location"], headers={"If-None-Match": made.headers["ETag"]})
        self.assertEqual((again.status_code, again.content), (304, b""))

    def test_of_two_who_saw_the_same_revision_the_second_is_told(self):
        made = self.make_user()
        row, seen = made.headers["Location"], {"If-Match": made.headers["ETag"]}

        first = self.api.patch(row, json={"name": "Grace"}, headers=seen)
        second = self.api.patch(row, json={"name": "Joan"}, headers=seen)
        informed = self.api.patch(row, json={"name": "Joan"}, headers={"If-Match": second.headers["ETag"]})

        self.assertEqual([answer.status_code for answer in (first, second, informed)], [200, 412, 200])
        self.assertEqual(informed.json()["name"], "Joan")

    def test_put_replaces_patches_change_and_a_failing_test_changes_nothing(self):
        row = self.make_user().headers["Location"]
        self.api.patch(row, json={"tags": ["new"], "address": {"city": "Paris", "country": "FR"}})

        merged = self.api.patch(row, json={"address": {"city": None}}, headers={"Content-Type": "application/merge-patch+json"})
        steps = [{"op": "add", "path": "/tags/-", "value": "loyal"}, {"op": "test", "path": "/name", "value": "Ada"}]
        stepped = self.api.patch(row, json=steps, headers={"Content-Type": "application/json-patch+json"})
        steps[1]["value"] = "Grace"
        failed = self.api.patch(row, json=steps, headers={"Content-Type": "application/json-patch+json"})
        replaced = self.api.put(row, json={"name": "Ada", "email": email()})

        self.assertEqual(merged.json()["address"], {"country": "FR"})
        self.assertEqual(stepped.json()["tags"], ["new", "loyal"])
        self.assertEqual((failed.status_code, failed.headers["Content-Type"]), (409, "application/problem+json"))
        self.assertEqual((replaced.status_code, replaced.json()["tags"]), (200, None))

    def test_a_repeat_with_the_same_key_is_not_done_again(self):
        key, body = {"Idempotency-Key": str(uuid.uuid4())}, {"name": "Ada", "email": email()}

        first = self.api.post("/api/users", json=body, headers=key)
        repeat = self.api.post("/api/users", json=body, headers=key)
        other = self.api.post("/api/users", json={**body, "name": "Grace"}, headers=key)

        self.assertEqual([answer.status_code for answer in (first, repeat, other)], [201, 200, 422])
        self.assertEqual(repeat.json(), first.json())
        self.assertEqual(repeat.headers["Idempotent-Replayed"], "true")

    def test_a_walk_by_cursor_meets_each_row_once_while_others_come_and_go(self):
        user = self.make_user().json()["id"]
        make = lambda amount: self.api.post(f"/api/users/{user}/orders", json={"amount": amount}).json()["id"]
        orders = {make(amount): amount for amount in (5, 3, 9, 3, 7, 1, 8)}

        page = self.api.get(f"/api/users/{user}/orders", params={"sort": "-amount", "limit": 2}).json()
        met = list(page["data"])
        gone = next(order for order, amount in orders.items() if amount == 1)
        self.assertEqual(self.api.delete(f"/api/orders/{gone}").status_code, 204)
        make(100)
        while page["links"]["next"]:
            page = self.api.get(page["links"]["next"]).json()
            met += page["data"]

        self.assertEqual([order["amount"] for order in met], [9, 8, 7, 5, 3, 3])
        self.assertEqual({order["id"] for order in met}, orders.keys() - {gone})

    def test_filters_and_counts_are_what_the_document_says(self):
        user = self.make_user().json()["id"]
        for amount, currency in ((1, "EUR"), (2, "USD"), (3, "GBP"), (4, "EUR")):
            self.api.post("/api/orders", json={"user_id": user, "amount": amount, "currency": currency})
        found = lambda **query: [
            order["amount"]
            for order in self.api.get("/api/orders", params={"user_id": user, "sort": "amount", **query}).json()["data"]
        ]

        self.assertEqual(found(currency=["EUR", "USD"]), [1, 2, 4])
        self.assertEqual(found(**{"amount[gte]": 2, "currency[ne]": "GBP"}), [2, 4])
        self.assertEqual(found(**{"currency[in]": "USD,GBP"}), [2, 3])
        paged = self.api.get("/api/orders", params={"user_id": user, "page": 2, "size": 3}).json()
        self.assertEqual(paged["meta"], {"total": 4, "page": 2, "per_page": 3})
        counted = self.api.get("/api/orders", params={"user_id": user, "limit": 1}, headers={"Prefer": "count=exact"})
        self.assertEqual((counted.json()["meta"]["total"], len(counted.json()["data"])), (4, 1))

    def test_an_action_is_done_once_and_links_name_what_is_left(self):
        order = self.api.post("/api/orders", json={"amount": 5}).json()

        paid = self.api.post(order["links"]["pay"])
        again = self.api.post(order["links"]["pay"])

        self.assertEqual((paid.json()["status"], again.status_code), ("paid", 409))
        self.assertNotIn("pay", paid.json()["links"])

    def test_a_problem_names_every_field_and_its_kind(self):
        answer = self.api.post("/api/orders", json={"amount": -1, "currency": "XXX", "status": "paid", "colour": "red"})
        missing = self.api.post("/api/orders", json={})
        query = self.api.get("/api/orders", params={"colour": "red"})

        problem = answer.json()
        self.assertEqual((answer.status_code, problem["status"]), (422, 422))
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
        self.assertEqual(
            {(error["field"], error["code"]) for error in problem["errors"]},
            {
                ("amount", "OUT_OF_RANGE"),
                ("currency", "INVALID_VALUE"),
                ("status", "READ_ONLY"),
                ("colour", "UNKNOWN"),
            },
        )
        self.assertEqual((missing.status_code, missing.json()["errors"][0]["code"]), (400, "REQUIRED"))
        self.assertEqual((query.status_code, query.json()["errors"][0]["field"]), (400, "colour"))


if __name__ == "__main__":
    unittest.main()
