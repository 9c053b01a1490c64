# Written by `warpup record` into a folder of its own, first on PYTHONPATH: Python runs this file when it starts.
#
# It loads the recorder, hides itself, and then runs the sitecustomize of the user, if there is one. Any Python must be able to read
# this file, also one that is too old for the recorder.
import os
import sys


def _begin():
    folder = os.path.dirname(os.path.abspath(__file__))
    _hide(folder)
    try:
        if sys.version_info < (3, 8):
            _note_old_python(folder)
            return
        path = os.path.join(folder, "warpup_record.py")
        with open(path) as file:
            source = file.read()
        # A name below site-packages, so that no tool takes the recorder for the user's own code.
        names = {"__name__": "warpup_record"}
        exec(compile(source, "site-packages/warpup_record.py", "exec"), names)
        names["begin"](folder)
    except Exception:
        # Without the recorder the program runs as always.
        pass


def _hide(folder):
    sys.path[:] = [it for it in sys.path if os.path.abspath(it or os.curdir) != folder]
    sys.path_importer_cache.pop(folder, None)
    # Where PYTHONPYCACHEPREFIX says so, the compiled file is outside of our folder.
    cached = globals().get("__cached__")
    try:
        if cached:
            os.unlink(cached)
            os.rmdir(os.path.dirname(cached))
    except OSError:
        pass


def _note_old_python(folder):
    version = ".".join(str(it) for it in sys.version_info[:3])
    with open(os.path.join(folder, "process-%d.json" % os.getpid()), "w") as file:
        file.write('{"state": "old-python", "python": "%s"}' % version)


def _chain():
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        # Python asks for the module that it has begun to import.
        sys.modules.setdefault("sitecustomize", own)


_begin()
_chain()
