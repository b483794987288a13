"""Requests that schemathesis makes from `/api/openapi.json`, good ones and bad ones, with every check that it has.

`API_SEED` asks for other ones, and `API_EXAMPLES` for more than a run of all tests has time for. What a generator cannot
know stands in `generator.py`.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from world import ISSUER, SHOPKEEPER, token_of

HERE = pathlib.Path(__file__).parent
SEED = os.environ.get("API_SEED", "20260101")
EXAMPLES = os.environ.get("API_EXAMPLES", "8")


class Generated(unittest.TestCase):
    def test_no_request_made_from_the_description_is_answered_in_another_way_than_it_says(self):
        token = token_of(SHOPKEEPER)
        document = f"{ISSUER}/api/openapi.json"
        command = [sys.executable, "-m", "schemathesis.cli", "run", document]
        command += ["--header", f"Authorization: Bearer {token}", "--checks", "all", "--continue-on-failure"]
        command += ["--phases", "examples,coverage,fuzzing,stateful", "--seed", SEED, "--max-examples", EXAMPLES]
        world = os.environ | {"PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "generator", "API_TOKEN": token, "API_DOCUMENT": document}

        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(command, cwd=folder, env=world, capture_output=True, text=True)

        self.assertEqual(run.returncode, 0, run.stdout[-20000:] + run.stderr[-5000:])


if __name__ == "__main__":
    unittest.main()
