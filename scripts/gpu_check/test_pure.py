"""The examples of the modules, as tests: `cd scripts && python3 -m unittest gpu_check.test_pure`."""

import doctest
import pathlib
import tempfile
import unittest

from . import machine, programs, rates, report, screen


def load_tests(loader, tests, pattern):
    for module in (programs, rates, report, screen):
        tests.addTests(doctest.DocTestSuite(module))
    return tests


class Packed(unittest.TestCase):
    def test_an_executable_is_unpacked_and_can_be_run(self):
        import lzma

        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "in").mkdir()
            (folder / "in/warpup.xz").write_bytes(lzma.compress(b"#!/bin/sh\n"))
            found, place = machine.executable(folder / "in/warpup.xz", "warpup", folder, folder)
            self.assertEqual(found.read_bytes(), b"#!/bin/sh\n")
            self.assertTrue(found.stat().st_mode & 0o100)
            self.assertEqual(place.name, "warpup.xz")

    def test_a_missing_executable_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.assertEqual(machine.executable(folder / "x", "warpup", folder, folder), (None, None))


class Judged(unittest.TestCase):
    def test_a_lab_that_prints_something_else_fails_with_the_line(self):
        done = {"passed": True, "outcome": {"how": "done"}, "output": "a\nb\n", "checks": []}

        class Session:
            device = "cuda"

            class torch:
                @staticmethod
                def run(source):
                    return {"output": "a\nc\n", "raised": None}

        found = programs.lab_finding(Session, ("lesson/lab", "starter", "", True), done)
        self.assertEqual((found.state, found.said), ("failed", "PyTorch prints something else: line 2: 'c' against 'b'"))

    def test_a_repair_that_passes_as_it_starts_fails(self):
        done = {"passed": True, "outcome": {"how": "done"}, "output": "", "checks": []}
        found = programs.lab_finding(None, ("lesson/lab", "starter", "", False), done)
        self.assertEqual((found.state, found.said), ("failed", "passes, but must fail"))


if __name__ == "__main__":
    unittest.main()
