"""Many writers at once: none of their changes is lost, and nothing is made twice. `API_WRITES` asks for more of them."""

import collections
import concurrent.futures
import os
import unittest
import uuid

import httpx

from world import ISSUER, SHOPKEEPER, token_of

WRITES = int(os.environ.get("API_WRITES", "600"))
WRITERS = min(64, WRITES // 10)
STEPS = {"Content-Type": "application/json-patch+json"}


class Races(unittest.TestCase):
    def setUp(self):
        bearer = {"Authorization": "Bearer " + token_of(SHOPKEEPER)}
        limits = httpx.Limits(max_connections=WRITERS, max_keepalive_connections=WRITERS)
        self.api = httpx.Client(base_url=ISSUER, headers=bearer, timeout=120, limits=limits)
        self.addCleanup(self.api.close)
        self.statuses = collections.Counter()

    def race(self, write, times):
        with concurrent.futures.ThreadPoolExecutor(WRITERS) as writers:
            return list(writers.map(write, range(times)))

    def send(self, method, path, **more):
        answer = self.api.request(method, path, **more)
        self.statuses[answer.status_code] += 1
        return answer

    def tearDown(self):
        print(f"  {self.id().rpartition('.')[2]}: {dict(self.statuses)}")

    def make_order(self):
        return self.api.post("/api/orders", json={"amount": 0}).headers["Location"]

    def test_a_counter_behind_if_match_counts_every_writer(self):
        order = self.make_order()

        def count_up(_):
            while True:
                seen = self.api.get(order)
                body, guard = {"amount": seen.json()["amount"] + 1}, {"If-Match": seen.headers["ETag"]}
                answer = self.send("PATCH", order, json=body, headers=guard)
                if answer.status_code == 200:
                    return answer.headers["ETag"]
                self.assertEqual(answer.status_code, 412, answer.text)

        tags = self.race(count_up, WRITES // 10)

        self.assertEqual(self.api.get(order).json()["amount"], WRITES // 10)
        self.assertEqual(len(set(tags)), WRITES // 10)

    def test_a_counter_behind_a_test_of_its_value_counts_every_writer(self):
        order = self.make_order()

        def count_up(_):
            while True:
                seen = self.api.get(order).json()["amount"]
                steps = [
                    {"op": "test", "path": "/amount", "value": seen},
                    {"op": "replace", "path": "/amount", "value": seen + 1},
                ]
                answer = self.send("PATCH", order, json=steps, headers=STEPS)
                if answer.status_code == 200:
                    return
                self.assertEqual(answer.status_code, 409, answer.text)

        self.race(count_up, WRITES // 10)

        self.assertEqual(self.api.get(order).json()["amount"], WRITES // 10)

    def test_what_many_append_without_a_guard_is_all_there(self):
        user = self.api.post("/api/users", json={"name": "Ada", "email": f"{uuid.uuid4()}@example.org", "tags": []})
        user = user.headers["Location"]

        def append(number):
            steps = [{"op": "add", "path": "/tags/-", "value": str(number)}]
            answer = self.send("PATCH", user, json=steps, headers=STEPS)
            self.assertEqual(answer.status_code, 200, answer.text)

        self.race(append, WRITES // 3)

        self.assertCountEqual(self.api.get(user).json()["tags"], [str(number) for number in range(WRITES // 3)])

    def test_a_key_that_four_share_makes_one_row(self):
        user = self.api.post("/api/users", json={"name": "Ada", "email": f"{uuid.uuid4()}@example.org"}).json()["id"]
        keys = [str(uuid.uuid4()) for _ in range(WRITES // 8)]

        def create(number):
            key, body = keys[number // 4], {"user_id": user, "amount": number // 4}
            while True:
                answer = self.send("POST", "/api/orders", json=body, headers={"Idempotency-Key": key})
                if answer.status_code in (200, 201):
                    return answer.json()["id"], answer.status_code
                # The first one is still at work.
                self.assertEqual(answer.status_code, 409, answer.text)

        made = self.race(create, 4 * len(keys))

        self.assertEqual(len({row for row, _ in made}), len(keys))
        self.assertEqual(collections.Counter(status for _, status in made), {201: len(keys), 200: 3 * len(keys)})
        counted = self.api.get("/api/orders", params={"user_id": user, "page": 1, "size": 1}).json()
        self.assertEqual(counted["meta"]["total"], len(keys))


if __name__ == "__main__":
    unittest.main()
