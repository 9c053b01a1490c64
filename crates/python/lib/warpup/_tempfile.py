"""The standard module `tempfile`, in the memory of the run: names count up from 1, so that a run repeats."""

from warpup import _files, _os
from warpup._open import open as _open

tempdir = None
template = "tmp"
_made = 0


def gettempdir():
    return "/tmp"


def gettempprefix():
    return template


def _path(suffix, prefix, dir):
    global _made
    _made += 1
    folder = gettempdir() if dir is None else _files.fspath(dir)
    return f"{folder.rstrip('/')}/{prefix or template}{_made:08}{suffix or ''}"


def mktemp(suffix="", prefix=template, dir=None):
    return _path(suffix, prefix, dir)


def mkdtemp(suffix=None, prefix=None, dir=None):
    path = _path(suffix, prefix, dir)
    _os.mkdir(path)
    return path


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    _files.refuse("tempfile.mkstemp")


class TemporaryDirectory:
    """A folder that is removed at the end of a `with` block."""

    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name = mkdtemp(suffix, prefix, dir)
        self._delete = delete

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, kind, value, traceback):
        if self._delete:
            self.cleanup()

    def cleanup(self):
        _files.remove_folder(self.name)


class _Temporary:
    """An open file that is removed when it is closed."""

    def __init__(self, file, path, delete):
        self.file, self.name, self._delete = file, path, delete

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def __iter__(self):
        return iter(self.file)

    def close(self):
        self.file.close()
        if self._delete:
            _files.files.pop(_files.absolute(self.name), None)


def NamedTemporaryFile(
    mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None,
    delete_on_close=True,
):
    path = _path(suffix, prefix, dir)
    return _Temporary(_open(path, mode, buffering, encoding, errors, newline), path, delete)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *, errors=None):
    return NamedTemporaryFile(mode, buffering, encoding, newline, suffix, prefix, dir, errors=errors)
