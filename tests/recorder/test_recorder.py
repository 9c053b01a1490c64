"""The recorder of `warpup record` inside of programs, with a torch of plain Python: programs in, output and notes out."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDER = os.path.join(HERE, "..", "..", "src", "commands", "record", "python")

TRAIN = """
import torch
optimizer = torch.optim.SGD()
for step in range({steps}):
    assert optimizer.step() == "stepped"
print("done")
"""


class Run:
    """A program that ran with the recorder, and what it left."""

    def __init__(self, program, options=None, environment=None, flags=(), before=None):
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, "recorder")
            os.mkdir(folder)
            for name in ("sitecustomize.py", "warpup_record.py"):
                with open(os.path.join(RECORDER, name)) as file, open(os.path.join(folder, name), "w") as copy:
                    copy.write(file.read())
            out = os.path.join(place, "trace.json.gz")
            all_options = {"count": None, "steps": 2, "skip": 3, "stop": False, "stacks": True, "watch": None, "out": out}
            all_options.update(options or {})
            with open(os.path.join(folder, "options.json"), "w") as file:
                json.dump(all_options, file)
            path = [folder, HERE]
            if before is not None:
                own = os.path.join(place, "own")
                os.mkdir(own)
                with open(os.path.join(own, "sitecustomize.py"), "w") as file:
                    file.write(before)
                path.append(own)
            values = {it: os.environ[it] for it in ("PATH", "HOME") if it in os.environ}
            values.update(environment or {}, PYTHONPATH=os.pathsep.join(path), PYTHONDONTWRITEBYTECODE="")
            values.setdefault("PYTHONPYCACHEPREFIX", os.path.join(place, "cache"))
            command = [sys.executable, *flags, "-c", program]
            ended = subprocess.run(command, env=values, cwd=place, capture_output=True, text=True, timeout=60)
            self.status, self.out, self.err = ended.returncode, ended.stdout, ended.stderr.replace(place, "HERE")
            self.folder = folder
            self.notes = []
            for name in sorted(os.listdir(folder)):
                if name.startswith("process-"):
                    with open(os.path.join(folder, name)) as file:
                        self.notes.append(json.load(file))
            self.left = sorted(it for it in os.listdir(folder) if it.startswith("trace"))
            self.files = sorted(os.listdir(place))
            self.cached = [
                name for _, _, names in os.walk(place) for name in names if name.endswith(".pyc") and "custom" in name
            ]
            self.traces = {}
            for name in self.files:
                if name.startswith("trace"):
                    with gzip.open(os.path.join(place, name)) as file:
                        self.traces[name] = json.load(file)

    @property
    def note(self):
        (note,) = self.notes
        return note

    @property
    def steps(self):
        (trace,) = self.traces.values()
        return trace["steps"]


class Recorder(unittest.TestCase):
    def test_the_steps_after_the_skipped_ones_are_recorded(self):
        run = Run(TRAIN.format(steps=30))
        self.assertEqual((run.status, run.out, run.err), (0, "done\n", ""))
        self.assertEqual(run.steps, ["ProfilerStep#1", "ProfilerStep#2"])
        self.assertEqual((run.note["state"], len(run.note["recorded_ns"])), ("recorded", 2))
        # The first step, the one that warms up and the recorded ones are not among these; ten after them are.
        self.assertEqual(len(run.note["plain_ns"]), 1 + 10)

    def test_the_trace_says_how_many_steps_passed_and_where_the_program_is(self):
        (trace,) = Run(TRAIN.format(steps=30)).traces.values()
        self.assertEqual((trace["warpup_skipped_steps"], trace["warpup_program_folder"]), (3, "."))
        program = "import os, runpy; os.mkdir('src'); open('src/train.py', 'w').write(os.environ['TRAIN']); os.execl(%r, 'python', 'src/train.py')"
        (trace,) = Run(program % sys.executable, environment={"TRAIN": TRAIN.format(steps=30)}).traces.values()
        self.assertEqual(trace["warpup_program_folder"], "src")

    def test_nothing_stays_in_the_program_or_on_the_disk(self):
        look = "import os, sys\nprint([it for it in sys.path if 'recorder' in it and 'tests' not in it])\n"
        run = Run(look + TRAIN.format(steps=30) + "from torch.optim.optimizer import HOOKS\nprint(HOOKS, os.environ['PYTHONPATH'])")
        self.assertEqual(run.out, "[]\ndone\n{} " + HERE + "\n")
        self.assertEqual((run.left, run.cached), ([], []))
        self.assertIn("trace.json.gz", run.files)

    def test_a_program_without_torch_runs_as_always(self):
        run = Run("import sys; print('x'); sys.exit(4)")
        self.assertEqual((run.status, run.out, run.err), (4, "x\n", ""))
        self.assertEqual((run.note["state"], run.note["torch"]), ("no-torch", None))

    def test_torch_may_come_late_and_may_be_looked_for(self):
        run = Run("import importlib.util\nassert importlib.util.find_spec('torch')\n" + TRAIN.format(steps=30))
        self.assertEqual(run.note["state"], "recorded")

    def test_an_old_torch_is_left_alone(self):
        run = Run(TRAIN.format(steps=30), environment={"FAKE_TORCH": "2.0.1"})
        self.assertEqual((run.out, run.note["state"], run.note["torch"]), ("done\n", "old-torch", "2.0.1"))

    def test_a_program_that_ends_early_says_how_many_steps_it_made(self):
        run = Run(TRAIN.format(steps=1))
        self.assertEqual((run.note["state"], run.note["seen"], run.traces), ("waiting", 1, {}))

    def test_a_recording_that_is_cut_short_has_the_steps_that_were_complete(self):
        run = Run(TRAIN.format(steps=4))
        self.assertEqual((run.note["state"], len(run.note["recorded_ns"])), ("recorded", 1))
        self.assertEqual(run.steps, ["ProfilerStep#1", "after the last step"])

    def test_the_last_of_several_optimizers_ends_a_step(self):
        program = TRAIN.replace("assert optimizer", "other.step(); optimizer").replace("for", "other = torch.optim.SGD()\nfor")
        run = Run(program.format(steps=30))
        self.assertEqual((run.note["seen"], len(run.note["plain_ns"])), (2 + 1 + 2 + 10, 1 + 10))

    def test_an_optimizer_that_is_not_used_any_more_ends_no_step(self):
        program = TRAIN.replace("for", "torch.optim.SGD().step()\nother = torch.optim.SGD(); optimizer.step(); other.step()\nfor")
        self.assertEqual(Run(program.format(steps=200)).note["state"], "recorded")

    def test_without_an_optimizer_calls_of_backward_are_steps(self):
        run = Run("import torch\nfor _ in range(30): torch.autograd.backward(1)\nprint('done')")
        self.assertEqual((run.out, run.note["state"], run.note["counts"]), ("done\n", "recorded", "backwards"))

    def test_where_there_is_an_optimizer_calls_of_backward_are_none(self):
        program = TRAIN.replace("    assert", "    for _ in range(9): torch.autograd.backward(1)\n    assert")
        self.assertEqual(Run(program.format(steps=30)).note["counts"], "steps")

    def test_an_error_of_backward_has_the_traceback_of_the_program(self):
        program = "import torch\ntorch.autograd.backward(None)"
        run = Run(program)
        self.assertEqual(run.status, 1)
        self.assertNotIn("warpup", run.err)
        self.assertIn("RuntimeError: no loss", run.err)

    def test_calls_of_an_evaluated_model_are_steps_and_those_inside_are_none(self):
        program = """
import time, torch
class Inner(torch.nn.Module):
    def forward(self, x):
        end = time.time() + 0.001
        while time.time() < end: pass
        return x
class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x): return self.inner(self.inner(x))
model = Outer().eval()
end = time.time() + 50
while time.time() < end and not (calls := globals().get("calls", 0)) > 10_000:
    model(1)
    if not model.hooks and globals().get("hooked"): break
    hooked = bool(model.hooks) or globals().get("hooked")
print("done")
"""
        run = Run(program)
        self.assertEqual((run.out, run.note["state"], run.note["counts"]), ("done\n", "recorded", "calls"))
        self.assertEqual(run.note["seen"], 2 + 1 + 2 + 10)

    def test_a_profiler_of_the_program_goes_first(self):
        program = TRAIN.format(steps=4) + "with torch.profiler.profile(): print('own')"
        run = Run(program, {"steps": 9})
        self.assertEqual((run.status, run.out), (0, "done\nown\n"))
        self.assertEqual((run.note["state"], run.traces), ("own-profiler", {}))

    def test_a_profiler_of_the_program_that_runs_is_not_disturbed(self):
        run = Run("import torch\nwith torch.profiler.profile():\n" + "".join("    " + it + "\n" for it in TRAIN.format(steps=30).strip().splitlines()))
        self.assertEqual((run.status, run.out), (0, "done\n"))
        self.assertEqual((run.note["state"], run.traces), ("own-profiler", {}))

    def test_what_breaks_in_the_recorder_does_not_end_the_program(self):
        for method in ("start", "step", "stop", "export_chrome_trace"):
            with self.subTest(method):
                run = Run(TRAIN.format(steps=30), environment={"FAKE_BROKEN": method})
                self.assertEqual((run.status, run.out, run.err), (0, "done\n", ""))
                self.assertEqual((run.note["state"], run.note["error"]), ("failed", "RuntimeError: broken " + method))
                self.assertEqual((run.left, run.traces), ([], {}))

    def test_a_place_that_cannot_be_written_does_not_end_the_program(self):
        run = Run(TRAIN.format(steps=30), {"out": "/nowhere/trace.json"})
        self.assertEqual((run.out, run.note["state"]), ("done\n", "failed"))
        self.assertIn("/nowhere/trace.json", run.note["error"])

    def test_stop_ends_the_program_after_the_recording(self):
        run = Run(TRAIN.format(steps=30) + "print('not here')", {"stop": True})
        self.assertEqual((run.status, run.out, run.err), (0, "", ""))
        self.assertEqual(len(run.steps), 2)

    def test_seconds_are_steps_where_somebody_says_so(self):
        run = Run(
            "import time, torch\nend = time.time() + 50\nwhile time.time() < end: time.time()",
            {"count": "seconds", "skip": 2, "steps": 1, "stop": True},
        )
        self.assertEqual((run.status, run.err, run.note["state"], run.steps), (0, "", "recorded", ["ProfilerStep#1"]))

    def test_each_rank_has_its_file(self):
        program = "import os, subprocess, sys\nfor rank in '01': subprocess.run([sys.executable, '-c', os.environ['TRAIN']], env=dict(os.environ, RANK=rank, WORLD_SIZE='2'))"
        run = Run(program, environment={"TRAIN": TRAIN.format(steps=30)})
        self.assertEqual(sorted(run.traces), ["trace.rank0.json.gz", "trace.rank1.json.gz"])
        self.assertEqual(sorted(it["rank"] for it in run.notes if it["state"] == "recorded"), [0, 1])

    def test_of_several_processes_without_ranks_the_first_records(self):
        program = "import os, subprocess, sys\nfor _ in range(2): subprocess.run([sys.executable, '-c', os.environ['TRAIN']])"
        run = Run(program, environment={"TRAIN": TRAIN.format(steps=30)})
        self.assertEqual(run.out, "done\ndone\n")
        self.assertEqual(sorted(it["state"] for it in run.notes), ["no-torch", "other-process", "recorded"])

    def test_a_child_of_a_fork_is_no_part_of_the_recording(self):
        program = TRAIN.replace("    assert", "    import os\n    if step == 3 and os.fork() == 0: [optimizer.step() for _ in range(30)]; os._exit(0)\n    assert")
        run = Run(program.format(steps=30))
        self.assertEqual((run.note["state"], run.note["seen"]), ("recorded", 2 + 1 + 2 + 10))

    def test_a_sitecustomize_of_the_user_runs(self):
        run = Run("import sitecustomize\nprint(sitecustomize.NAME)", before="NAME = 'own'\nprint('began')")
        self.assertEqual((run.out, run.err), ("began\nown\n", ""))

    def test_a_sitecustomize_of_the_user_that_fails_is_reported_as_always(self):
        run = Run("print('x')", before="import missing")
        self.assertEqual((run.status, run.out), (0, "x\n"))
        self.assertIn("No module named 'missing'", run.err)

    def test_a_tool_that_profiles_keeps_its_function(self):
        run = Run("import sys\nsys.setprofile(lambda *_: None)\n" + TRAIN.format(steps=30))
        (trace,) = run.traces.values()
        self.assertFalse(trace["options"]["with_stack"])
        (trace,) = Run(TRAIN.format(steps=30), {"stacks": False}).traces.values()
        self.assertFalse(trace["options"]["with_stack"])

    def test_a_warning_of_the_program_is_printed_as_often_as_always(self):
        program = TRAIN.replace("    assert", "    import warnings; warnings.warn('once')\n    assert")
        run = Run(program.format(steps=30))
        self.assertEqual((run.note["state"], run.err.count("once")), ("recorded", 1))

    def test_what_pytorch_imports_to_record_is_not_recorded(self):
        (trace,) = Run(TRAIN.format(steps=30)).traces.values()
        self.assertIs(trace["options"]["imports"], False)

    def test_ctrl_c_and_errors_are_those_of_the_program(self):
        program = TRAIN.replace("    assert", "    if step == 4: import os, signal; os.kill(os.getpid(), signal.SIGINT)\n    assert")
        run = Run(program.format(steps=30))
        self.assertEqual((run.status, len(run.steps)), (-signal.SIGINT, 2))
        self.assertIn("KeyboardInterrupt", run.err)
        self.assertNotIn("warpup", run.err)


    def test_a_watched_program_is_recorded_again_and_again(self):
        look = """
import json, os
folder = os.environ["PYTHONPATH"].split(os.pathsep)[0]
windows = []
def look():
    window = os.path.join(folder, "window.json")
    if os.path.exists(window):
        with open(window) as file: trace = json.load(file)
        os.unlink(window)
        windows.append((trace["warpup_skipped_steps"], len(trace["steps"])))
"""
        program = look + TRAIN.replace("    assert", "    look()\n    assert") + "print(windows)"
        run = Run(program.format(steps=31), {"watch": 10})
        self.assertEqual((run.out, run.err), ("done\n[(3, 2), (13, 2), (23, 2)]\n", ""))
        self.assertEqual((run.note["state"], run.note["seen"], run.traces), ("recorded", 31, {}))

    def test_of_several_ranks_the_first_is_watched(self):
        run = Run(TRAIN.format(steps=30), {"watch": 10}, environment={"RANK": "1", "WORLD_SIZE": "2"})
        self.assertEqual((run.out, run.note["state"]), ("done\n", "other-process"))


if __name__ == "__main__":
    unittest.main()
