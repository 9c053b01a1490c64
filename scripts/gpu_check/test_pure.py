"""The examples of the modules, as tests: `cd scripts && python3 -m unittest gpu_check.test_pure`."""

import doctest
import os
import pathlib
import tempfile
import unittest
from types import SimpleNamespace

from . import budget, machine, outputs, programs, rates, report, sanitizer, screen, steps
from .pytorch import PyTorch


def load_tests(loader, tests, pattern):
    for module in (budget, outputs, programs, rates, report, sanitizer, screen, steps):
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
            device, torch_version = "cuda", "2.15.0"

            class torch:
                @staticmethod
                def run(source, seconds):
                    return {"output": "a\nc\n", "raised": None}

            @staticmethod
            def left():
                return 10

        found = programs.lab_finding(Session, ("lesson/lab", "starter", "", True, None), done, "2.15.0")
        self.assertEqual((found.state, found.said), ("failed", "PyTorch prints something else: line 2: 'c' against 'b'"))

    def test_a_repair_that_passes_as_it_starts_fails(self):
        done = {"passed": True, "outcome": {"how": "done"}, "output": "", "checks": []}
        found = programs.lab_finding(None, ("lesson/lab", "starter", "", False, None), done, "2.15.0")
        self.assertEqual((found.state, found.said), ("failed", "passes, but must fail"))

    def test_a_generator_of_the_cpu_is_refused_as_by_pytorch(self):
        message = "Expected a 'cuda' device type for generator but found 'cpu'"
        done = {"passed": False, "outcome": {"how": "raised", "kind": "RuntimeError", "message": message}, "output": "1\n"}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "draws.py"
            file.with_suffix(".txt").write_text("1\n2\n")
            noted = []
            session = SimpleNamespace(torch=None, note=noted.append, left=lambda: 10)
            programs.snippets(session, [file], [done], "2.15.0")
        self.assertEqual([(it.what, it.state) for it in noted], [("all", "passed")])
        self.assertIn("PyTorch refuses 1 with tensors on a card (draws)", noted[0].said)


# What the side of PyTorch asks of it, for machines without PyTorch.
STAND_IN_FOR_TORCH = """
from types import SimpleNamespace
nothing = lambda *a, **k: None
__version__ = "2.11.0+stand-in"
float32 = None
_C = SimpleNamespace()
backends = SimpleNamespace(cuda=SimpleNamespace(matmul=SimpleNamespace()))
cuda = SimpleNamespace(is_available=lambda: True, is_initialized=lambda: True, synchronize=nothing, empty_cache=nothing, reset_peak_memory_stats=nothing)
set_default_device = set_default_dtype = set_grad_enabled = set_printoptions = nothing
"""


class Sides(unittest.TestCase):
    def test_programs_run_one_after_the_other_with_the_files_beside_them(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "torch.py").write_text(STAND_IN_FOR_TORCH)
            for name in ("one", "two"):
                (folder / name).mkdir()
                (folder / name / "common.py").write_text(f"said = {name!r}\n")
            torch = PyTorch({**os.environ, "PYTHONPATH": str(folder)})
            try:
                said = [torch.run("from common import said\nprint(said)\n", 30, folder / it)["output"] for it in ("one", "two")]
                self.assertEqual(said, ["one\n", "two\n"])
                done = torch.run('lab.metric("x", 2, "ms")\n1 / 0\n', 30)
                self.assertEqual((done["metrics"], done["raised"]["kind"]), ([["x", 2.0, "ms"]], "ZeroDivisionError"))
                self.assertEqual((torch.version, torch.has_card), ("2.11.0+stand-in", True))
                self.assertIsNone(torch.run("while True:\n    pass\n", 0.2))
                self.assertEqual(torch.run("print(1)\n", 30)["output"], "1\n")
            finally:
                torch.stop()

    def test_a_python_without_torch_is_asked_once(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "torch.py").write_text("raise ImportError\n")
            torch = PyTorch({**os.environ, "PYTHONPATH": folder})
            self.assertIsNone(torch.run("print(1)\n", 30))
            self.assertIsNone(torch.run("print(1)\n", 30))
            self.assertEqual((torch.version, torch.is_missing, torch.child), ("", True, None))


class Programs(unittest.TestCase):
    def test_each_program_has_a_place_in_one_of_the_tables(self):
        folder = pathlib.Path(steps.__file__).with_name("training")
        there = {it.stem for it in folder.glob("*.py")} - {"common"}
        self.assertEqual(there, {it.file or it.name for it in steps.TRAINING + steps.OTHERS})

    def test_sizes_that_are_changed_exist(self):
        folder = pathlib.Path(steps.__file__).with_name("training")
        texts = {it.stem: it.read_text() for it in folder.glob("*.py")}
        for program in steps.TRAINING + steps.OTHERS:
            for name, _ in program.sizes:
                self.assertIn(f"\n{name} = ", texts[program.file or program.name])
        for name in steps.SMALL:
            self.assertTrue(any(f"\n{name} = " in it for it in texts.values()), name)

    def test_each_figure_of_a_program_has_one_limit(self):
        folder = pathlib.Path(steps.__file__).parent.parent.parent / "benches/card"
        for program, _, rules in rates.PROGRAMS:
            text = (folder / program).read_text()
            for name in rules:
                self.assertIn(f'"{name}', text)


if __name__ == "__main__":
    unittest.main()
