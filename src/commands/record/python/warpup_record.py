"""Records some steps of a PyTorch program that knows nothing of it: the part of `warpup record` inside the program.

Until the program imports torch, nothing happens. Then a hook counts the steps of its optimizers. After the steps to skip, PyTorch's
profiler records the asked number of them, and the trace is written. Each process leaves a note beside this file, which warpup
reads when the program has ended.

Nothing here may change what the program prints, computes or returns: each way in catches its own errors, and gives up.
"""

import atexit
import functools
import json
import os
import sys
import threading
import time

OLDEST_TORCH = (2, 1)

# Steps without the profiler that are timed after the recording, beside those before it.
TIMED_AFTER = 10

# PyTorch's level of logs without warnings.
ERRORS = 2

# How often to look whether a model is being called, in seconds.
LOOK = 0.05


def begin(folder):
    """Waits for the import of torch."""
    with open(os.path.join(folder, "options.json")) as file:
        options = json.load(file)
    recorder = Recorder(folder, options)
    recorder.note()
    sys.meta_path.insert(0, TorchFinder(recorder.torch_came))


class TorchFinder:
    """Finds torch as the other finders do, and says when it is imported."""

    def __init__(self, came):
        self.came = came
        self.is_asking = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self.is_asking:
            return None
        self.is_asking = True
        try:
            found = (it.find_spec(name, path, target) for it in list(sys.meta_path) if hasattr(it, "find_spec"))
            spec = next((it for it in found if it is not None), None)
        finally:
            self.is_asking = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = TorchLoader(spec.loader, self)
        return spec


class TorchLoader:
    """The loader of torch, and a call after it."""

    def __init__(self, loader, finder):
        self.loader = loader
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.loader
        try:
            self.loader.exec_module(module)
        except BaseException as error:
            # The traceback is the program's.
            error.__traceback__ = error.__traceback__.tb_next
            raise
        if self.finder in sys.meta_path:
            sys.meta_path.remove(self.finder)
        self.finder.came(module)


def gives_up_on_error(method):
    """What goes wrong in the recorder ends the recorder, not the program."""

    @functools.wraps(method)
    def guarded(self, *arguments, **named):
        try:
            return method(self, *arguments, **named)
        except Exception as error:
            self.fail(error)

    # torch.compile must not look inside.
    guarded._torchdynamo_disable = True
    return guarded


class Recorder:
    """One process: waits, warms the profiler up, records, times a few more steps, and is done."""

    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.pid = os.getpid()
        self.here = os.getcwd()
        # What is counted: "steps", "backwards", "calls" or "seconds"; None until something is seen.
        self.counts = options["count"]
        self.phase = "waiting"
        self.state = "no-torch"
        self.torch = None
        self.error = None
        self.trace = None
        self.ranks = None
        self.thread = None
        self.profiler = None
        self.is_own_call = False
        self.log_level = None
        self.has_claimed = False
        self.count_anew()
        self.recorded_ns = []
        self.stall_ns = 0
        self.optimizers = []
        self.others = 0
        self.backward_depth = 0
        self.undo = []

    def count_anew(self):
        self.seen, self.last, self.plain_ns = 0, None, []
        # The number of the step after which the profiler starts.
        self.starts_after = self.options["skip"] - 1

    # What is hooked.

    @gives_up_on_error
    def torch_came(self, torch):
        self.torch = torch
        self.state = "waiting"
        if tuple(int(it) for it in torch.__version__.split(".")[:2]) < OLDEST_TORCH:
            self.state, self.phase = "old-torch", "done"
            return self.note()
        self.note()
        atexit.register(self.at_exit)
        os.register_at_fork(after_in_child=self.forked)
        self.watch_other_profilers()
        if self.counts in (None, "steps"):
            from torch.optim.optimizer import register_optimizer_step_post_hook

            self.undo.append(register_optimizer_step_post_hook(self.optimizer_stepped).remove)
        if self.counts is None:
            self.watch_backward()
            self.watch_eval()
        if self.counts == "calls":
            self.start_thread(self.look_for_model)
        if self.counts == "seconds":
            self.start_thread(self.tick)

    def watch_other_profilers(self):
        """Gives way to a profiler that the program starts itself: there can be only one."""
        module = self.torch.autograd.profiler
        for name in ("_prepare_profiler", "_run_on_profiler_start"):
            self.replace(module, name, self.before(getattr(module, name), self.profiler_starts))

    def watch_backward(self):
        """Counts calls of backward where there is no optimizer."""
        backward = self.torch.autograd.backward

        @functools.wraps(backward)
        def counted(*arguments, **named):
            self.backward_depth += 1
            try:
                result = backward(*arguments, **named)
            except BaseException as error:
                error.__traceback__ = error.__traceback__.tb_next
                raise
            finally:
                self.backward_depth -= 1
            self.backward_came()
            return result

        counted._torchdynamo_disable = True
        self.replace(self.torch.autograd, "backward", counted)

    def watch_eval(self):
        """A model that is only evaluated is never stepped: then its calls are the steps."""
        module = self.torch.nn.Module
        self.replace(module, "eval", self.before(module.eval, self.evaluated))

    def replace(self, place, name, by):
        original = getattr(place, name)
        setattr(place, name, by)
        self.undo.append(lambda: setattr(place, name, original) if getattr(place, name) is by else None)

    @staticmethod
    def before(original, call):
        @functools.wraps(original)
        def replaced(*arguments, **named):
            call()
            return original(*arguments, **named)

        return replaced

    def unhook(self):
        undo, self.undo = self.undo, []
        for it in undo:
            it()

    # What the hooks see.

    def is_over(self):
        return self.phase == "done" or self.pid != os.getpid()

    @gives_up_on_error
    def optimizer_stepped(self, optimizer, arguments, named):
        if self.is_over() or self.is_own_call:
            return
        if self.counts != "steps":
            if self.phase != "waiting":
                return
            self.counts = "steps"
            self.count_anew()
        if self.phase == "waiting" and id(optimizer) not in self.optimizers:
            self.optimizers.append(id(optimizer))
            self.count_anew()
        # Of several optimizers the one that came last ends a step, as the second one of a GAN does.
        if id(optimizer) == self.optimizers[-1]:
            self.others = 0
            return self.in_thread_of_program(self.step_ended)
        # One that is not used any more ends none.
        self.others += 1
        if self.others > 50 * len(self.optimizers) and self.phase == "waiting":
            self.optimizers, self.others = [], 0

    def in_thread_of_program(self, call):
        """Makes the call; where the threads of the autograd engine step the optimizer, in the main thread."""
        if isinstance(threading.current_thread(), threading._DummyThread):
            in_main_thread(gives_up_on_error(lambda self: call()).__get__(self))
        else:
            call()

    @gives_up_on_error
    def backward_came(self):
        is_step = self.counts in (None, "backwards") and self.backward_depth == 0
        if is_step and not self.is_over() and not self.has_optimizer():
            self.counts = "backwards"
            self.step_ended()

    @gives_up_on_error
    def evaluated(self):
        if self.counts is None and not self.is_over() and not self.has_optimizer():
            self.counts = "calls"
            self.start_thread(self.look_for_model)

    @gives_up_on_error
    def profiler_starts(self):
        if self.is_over() or self.is_own_call:
            return
        self.state = "own-profiler"
        self.give_way()

    def has_optimizer(self):
        """Whether one was ever made: PyTorch marks the class of each when it makes one."""
        classes = [self.torch.optim.Optimizer]
        while classes:
            it = classes.pop()
            if getattr(it.__dict__.get("step"), "hooked", False):
                return True
            classes.extend(it.__subclasses__())
        return False

    # Models and seconds, which no hook counts.

    def start_thread(self, work):
        threading.Thread(target=work, name="warpup record", daemon=True).start()

    @gives_up_on_error
    def look_for_model(self):
        main = threading.main_thread().ident
        while not self.is_over() and self.counts == "calls":
            frame = sys._current_frames().get(main)
            while frame is not None and not is_call_of_module(frame):
                frame = frame.f_back
            if frame is not None:
                return in_main_thread(self.model_is_called)
            del frame
            time.sleep(LOOK)

    @gives_up_on_error
    def model_is_called(self):
        frame, model = sys._getframe(), None
        while frame is not None:
            if is_call_of_module(frame):
                model = frame.f_locals.get("self", model)
            frame = frame.f_back
        if self.counts != "calls" or self.is_over():
            return
        if model is None:
            return self.start_thread(self.look_for_model)
        self.undo.append(model.register_forward_hook(self.model_was_called).remove)

    @gives_up_on_error
    def model_was_called(self, model, inputs, output):
        if self.counts == "calls" and not self.is_over():
            self.step_ended()

    @gives_up_on_error
    def tick(self):
        while not self.is_over():
            time.sleep(1)
            # A second call that waits while the first starts the profiler would hang the program.
            in_main_thread(self.second_passed).wait()
        if self.state == "recorded" and self.options["stop"]:
            raise_in_main_thread(SystemExit)

    @gives_up_on_error
    def second_passed(self):
        if not self.is_over():
            self.step_ended()

    # The steps.

    def step_ended(self):
        """A step of the program has ended, and the next begins."""
        now = time.perf_counter_ns()
        if self.thread is None:
            self.thread = threading.get_ident()
            leave_environment(self.folder)
        if self.thread != threading.get_ident():
            return
        took = None if self.last is None else now - self.last
        self.seen += 1
        if self.phase == "waiting":
            if took is not None:
                self.plain_ns.append(took)
            if self.seen >= self.starts_after:
                self.start()
        elif self.phase == "warming":
            self.next_step()
            # A reader of the trace can say how later steps are recorded, and find the program.
            self.profiler.add_metadata_json("warpup_skipped_steps", str(self.seen))
            self.profiler.add_metadata_json("warpup_program_folder", json.dumps(self.program_folder()))
            self.phase = "recording"
        elif self.phase == "recording":
            self.recorded_ns.append(took)
            if len(self.recorded_ns) == self.options["steps"]:
                self.finish()
            else:
                self.next_step()
        elif self.phase == "after":
            self.plain_ns.append(took)
            self.timed_after += 1
            if self.timed_after == TIMED_AFTER:
                self.end()
        self.last = time.perf_counter_ns()

    def start(self):
        """Starts the profiler, whose first step is one to warm up."""
        torch = self.torch
        self.ranks = ranks(torch)
        if not self.claim():
            self.state = "other-process"
            return self.end()
        if torch._C._autograd._profiler_enabled():
            self.state = "own-profiler"
            return self.end()
        from torch.profiler import ProfilerActivity, profile, schedule

        self.log_level = log_level(torch)
        activities = [ProfilerActivity.CPU]
        # The context of a card that the program does not use would be a change.
        if torch.cuda.is_initialized():
            activities.append(ProfilerActivity.CUDA)
        # PyTorch imports it when a recording begins, and would record the import.
        getattr(torch, "_inductor", None)
        with OwnCall(self):
            self.profiler = profile(
                activities=activities,
                schedule=schedule(wait=0, warmup=1, active=self.options["steps"] + 1, repeat=1),
                record_shapes=True,
                # Without the level, each recording would print a warning of the allocator of the CPU.
                profile_memory=self.log_level is not None or torch.cuda.is_initialized(),
                # PyTorch would put its own function in the place of another tool's.
                with_stack=self.options["stacks"] and sys.getprofile() is None,
            )
            self.profiler.start()
        if self.log_level is not None:
            self.level_before, self.log_level.value = self.log_level.value, max(ERRORS, self.log_level.value)
        self.phase, self.state = "warming", "recording"
        self.note()
        # Registered last, so that it runs before what the program registered earlier.
        atexit.unregister(self.at_exit)
        atexit.register(self.at_exit)

    def next_step(self):
        with OwnCall(self):
            self.profiler.step()

    def claim(self):
        """Whether this process is the one to record, or the one of its rank."""
        if self.has_claimed:
            return True
        is_watched = self.options["watch"] is not None
        # Of several ranks the first is watched.
        if is_watched and self.ranks is not None and self.ranks[0] != 0:
            return False
        name = "claim" if self.ranks is None else "claim-rank-%d" % self.ranks[0]
        try:
            os.close(os.open(os.path.join(self.folder, name), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        self.has_claimed = True
        return True

    def finish(self):
        """Stops the profiler and writes the trace; then only times."""
        began = time.perf_counter_ns()
        self.save()
        self.stall_ns = time.perf_counter_ns() - began
        self.phase, self.timed_after = "after", 0
        self.note()
        if self.options["watch"] is not None:
            return self.wait_for_next_window()
        if self.options["stop"]:
            self.end()
            if self.counts != "seconds":
                # As sys.exit() does, from the thread that trains.
                raise SystemExit(0)

    def wait_for_next_window(self):
        """Watching goes on for as long as the program: it records again after so many steps."""
        self.phase = "waiting"
        began = self.seen - self.options["steps"] - 1
        self.starts_after = max(began + self.options["watch"], self.seen + 1)
        self.plain_ns, self.recorded_ns = [], []

    def program_folder(self):
        """Where the program is, seen from where it was started. The trace has paths seen from there."""
        program = getattr(sys.modules.get("__main__"), "__file__", None) or ""
        return os.path.relpath(os.path.dirname(os.path.join(self.here, program)), self.here)

    def is_cut_short(self):
        return len(self.recorded_ns) < self.options["steps"]

    def stop(self):
        """Stops the profiler; gives it back with what it recorded."""
        profiler, self.profiler = self.profiler, None
        if profiler is not None:
            if self.log_level is not None:
                self.log_level.value = self.level_before
            with OwnCall(self):
                profiler.stop()
        return profiler

    def save(self):
        # The one that has begun, if the program ends: no step.
        begun = getattr(self.profiler.step_rec_fn, "name", None) if self.is_cut_short() else None
        profiler = self.stop()
        trace = os.path.join(self.folder, "trace-%d.json" % self.pid)
        with OwnCall(self):
            profiler.export_chrome_trace(trace)
        out = self.options["out"]
        if self.options["watch"] is not None:
            # The next one replaces it, if nobody has read it by then.
            out = os.path.join(self.folder, "window.json")
        elif self.ranks is not None:
            out = of_rank(out, self.ranks[0])
        try:
            write_trace(trace, out, begun)
        finally:
            os.unlink(trace)
        self.trace, self.state = out, "recorded"

    def end(self):
        self.phase = "done"
        self.unhook()
        self.note()

    def give_way(self):
        """Ends without a trace, so that the program can go on with its own profiler."""
        self.phase = "done"
        self.stop()
        self.end()

    def fail(self, error):
        self.state, self.error = "failed", "%s: %s" % (type(error).__name__, error)
        self.phase = "done"
        for it in (self.give_way, self.unhook, self.note):
            try:
                it()
            except Exception:
                pass

    @gives_up_on_error
    def at_exit(self):
        if self.pid != os.getpid():
            return
        if self.phase in ("warming", "recording") and self.recorded_ns:
            self.save()
        self.phase = "done"
        self.note()

    def forked(self):
        """A child is no part of a recording that has begun, but may begin one."""
        if self.seen == 0 and self.phase == "waiting":
            self.pid = os.getpid()
        else:
            self.phase = "done"

    def note(self):
        """Writes what is known, for warpup."""
        note = {
            "state": self.state,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "torch": None if self.torch is None else str(self.torch.__version__),
            "counts": self.counts,
            "seen": self.seen,
            "has_optimizer": self.state == "waiting" and self.has_optimizer(),
            "rank": None if self.ranks is None else self.ranks[0],
            "plain_ns": self.plain_ns,
            "recorded_ns": self.recorded_ns,
            "stall_ns": self.stall_ns,
            "trace": self.trace,
            "error": self.error,
        }
        path = os.path.join(self.folder, "process-%d.json" % self.pid)
        with open(path + ".part", "w") as file:
            json.dump(note, file)
        os.replace(path + ".part", path)


def log_level(torch):
    """The level from which PyTorch's C++ prints what it logs."""
    try:
        import ctypes

        library = os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so")
        return ctypes.c_int.in_dll(ctypes.CDLL(library), "FLAGS_caffe2_log_level")
    except Exception:
        return None


def is_call_of_module(frame):
    code = frame.f_code
    return code.co_name == "_call_impl" and code.co_filename.replace(os.sep, "/").endswith("torch/nn/modules/module.py")


def in_main_thread(call):
    """Has the main thread make this call soon, between two instructions of Python. Gives the event that it is done."""
    import ctypes

    done = threading.Event()

    def once(_):
        try:
            call()
        finally:
            done.set()
        return 0

    kept = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(once)
    PENDING.append(kept)
    ctypes.pythonapi.Py_AddPendingCall(kept, None)
    return done


PENDING = []


def raise_in_main_thread(error):
    import ctypes

    main = ctypes.c_ulong(threading.main_thread().ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(error))


def ranks(torch):
    """The rank of this process and the number of ranks, if there are several."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        found = distributed.get_rank(), distributed.get_world_size()
    else:
        try:
            found = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        except (KeyError, ValueError):
            return None
    return found if found[1] > 1 else None


def of_rank(out, rank):
    """`trace.json.gz` is `trace.rank0.json.gz` for the first rank."""
    for ending in (".json.gz", ".json"):
        if out.endswith(ending):
            return "%s.rank%d%s" % (out[: -len(ending)], rank, ending)
    return "%s.rank%d" % (out, rank)


def write_trace(trace, out, begun):
    """Puts the trace in its place. The step that had only begun is none."""
    import gzip

    name = ('"%s"' % begun).encode()
    part = out + ".part"
    make = gzip.open if out.endswith(".gz") else lambda path, mode, _: open(path, mode)
    try:
        with open(trace, "rb") as lines, make(part, "wb", 1) as file:
            for line in lines:
                file.write(line.replace(name, b'"after the last step"') if name in line else line)
        os.replace(part, out)
    except BaseException:
        try:
            os.unlink(part)
        except OSError:
            pass
        raise


def leave_environment(folder):
    """What the program starts from now on starts without the recorder."""
    places = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    left = [it for it in places if it != folder]
    if left == places:
        return
    if left:
        os.environ["PYTHONPATH"] = os.pathsep.join(left)
    else:
        del os.environ["PYTHONPATH"]


class OwnCall:
    """A call of the profiler: it prints neither warnings nor notes of its own, and nobody takes it for the program's."""

    def __init__(self, recorder):
        self.recorder = recorder

    def __enter__(self):
        self.recorder.is_own_call = True
        # Not by filters of warnings: after a change of these, Python repeats warnings of the program.
        modules = [sys.modules.get(it) for it in ("torch.profiler.profiler", "torch.autograd.profiler")]
        self.warns = [(it, it.warn) for it in modules if hasattr(it, "warn")]
        for module, _ in self.warns:
            module.warn = lambda *arguments, **named: None
        self.level = os.environ.get("KINETO_LOG_LEVEL")
        if self.level is None:
            os.environ["KINETO_LOG_LEVEL"] = "99"

    def __exit__(self, *_):
        self.recorder.is_own_call = False
        for module, warn in self.warns:
            module.warn = warn
        if self.level is None:
            os.environ.pop("KINETO_LOG_LEVEL", None)
