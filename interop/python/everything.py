"""Runs every test of this folder and counts tests, not the cases within them."""

import pathlib
import sys
import unittest

tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
failed = {getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors}
print(f"tests: {result.testsRun - len(failed)} passed, {len(failed)} failed")
sys.exit(0 if result.wasSuccessful() else 1)
