"""The standard module `os` without a host: paths, few variables, and the files that the run keeps in memory."""

import abc
import sys

import _cuda
import _host
from warpup import _files
from warpup._files import absolute, fspath, refuse

name = "posix"
curdir, pardir, sep, altsep, extsep, pathsep, linesep, devnull = ".", "..", "/", None, ".", ":", "\n", "/dev/null"
defpath = "/bin:/usr/bin"
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024
error = OSError
supports_dir_fd = supports_fd = supports_follow_symlinks = supports_effective_ids = frozenset()
_random = None


def urandom(size, /):
    """Bytes that repeat from run to run, as all random numbers of a run do."""
    global _random
    if _random is None:
        import random

        _random = random.Random(0)
    return _random.randbytes(size)


class _Environment(dict):
    """Variables that only the program sees. CUDA, cuBLAS and PyTorch read some of them (`python/environment.rs`)."""

    def __setitem__(self, key, value):
        for it in (key, value):
            if not isinstance(it, str):
                raise TypeError(f"str expected, not {type(it).__name__}")
        super().__setitem__(key, value)
        _cuda.set_variable(key, value)

    def __delitem__(self, key):
        super().__delitem__(key)
        _cuda.set_variable(key, None)

    def pop(self, key, *default):
        found = super().pop(key, *default)
        _cuda.set_variable(key, None)
        return found

    def popitem(self):
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self):
        for key in list(self):
            del self[key]

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def update(self, *others, **named):
        for key, value in dict(*others, **named).items():
            self[key] = value

    def __ior__(self, other):
        self.update(other)
        return self


# What the program sees of the shell has had its effect before the start.
environ = _Environment(_host.environment())


class PathLike(abc.ABC):
    """A path, such as those of `pathlib`."""

    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "__fspath__")

    @classmethod
    def __class_getitem__(cls, item):
        return cls


class stat_result(tuple):
    """What is known of a file: its mode, its size and when it was written."""

    st_mode = property(lambda self: self[0])
    st_ino = property(lambda self: self[1])
    st_dev = property(lambda self: self[2])
    st_nlink = property(lambda self: self[3])
    st_uid = property(lambda self: self[4])
    st_gid = property(lambda self: self[5])
    st_size = property(lambda self: self[6])
    st_mtime = st_ctime = st_atime = property(lambda self: self[8])
    st_mtime_ns = st_ctime_ns = st_atime_ns = property(lambda self: int(self[8] * 1e9))


class terminal_size(tuple):
    """Columns and lines."""

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def get_terminal_size(fd=1):
    raise OSError(25, "Inappropriate ioctl for device")


def getcwd():
    return _files.working


def getcwdb():
    return _files.working.encode()


def chdir(path):
    if absolute(path) not in _files.folders:
        raise _files.missing(path)
    _files.working = absolute(path)


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def unsetenv(key):
    environ.pop(key, None)


def getpid():
    return 1


def getppid():
    return 0


def cpu_count():
    """The cores of the host, where a card and its host are modelled; otherwise the threads of the run."""
    import _loader

    return _loader.cores() or _host.threads()


process_cpu_count = cpu_count


def sched_getaffinity(pid):
    return set(range(cpu_count()))


def fsencode(path):
    path = fspath(path)
    return path.encode() if isinstance(path, str) else path


def fsdecode(path):
    path = fspath(path)
    return path.decode() if isinstance(path, bytes) else path


def stat(path, *, dir_fd=None, follow_symlinks=True):
    at = absolute(path)
    time = _files.times.get(at, 0.0)
    if at in _files.folders:
        return stat_result((0o40755, hash(at), 1, 1, 0, 0, 0, time, time, time))
    if at in _files.files:
        return stat_result((0o100644, hash(at), 1, 1, 0, 0, _files.files[at].size, time, time, time))
    raise _files.missing(path)


def lstat(path, *, dir_fd=None):
    return stat(path)


def access(path, mode, **options):
    at = absolute(path)
    return at in _files.folders or at in _files.files


def listdir(path="."):
    at = absolute(path)
    if at not in _files.folders:
        raise _files.missing(path)
    begin = at.rstrip("/") + "/"
    inside = {it[len(begin):].partition("/")[0] for it in (*_files.files, *_files.folders) if it.startswith(begin)}
    return sorted(inside - {""})


class DirEntry:
    """What a folder holds under a name."""

    def __init__(self, folder, name):
        self.name = name
        self.path = path.join(folder, name)

    def __fspath__(self):
        return self.path

    def is_dir(self, *, follow_symlinks=True):
        return path.isdir(self.path)

    def is_file(self, *, follow_symlinks=True):
        return path.isfile(self.path)

    def is_symlink(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)


class _Scan(list):
    """The entries of a folder, for a `with` block."""

    def __enter__(self):
        return iter(self)

    def __exit__(self, kind, value, traceback):
        return False

    def close(self):
        """Does nothing."""


def scandir(path="."):
    return _Scan(DirEntry(fspath(path), it) for it in listdir(path))


def walk(top, topdown=True, onerror=None, followlinks=False):
    if not path.isdir(top):
        return
    inside = listdir(top)
    folders = [it for it in inside if path.isdir(path.join(top, it))]
    found = (fspath(top), folders, [it for it in inside if it not in folders])
    if topdown:
        yield found
    for it in folders:
        yield from walk(path.join(top, it), topdown)
    if not topdown:
        yield found


def mkdir(path, mode=0o777, *, dir_fd=None):
    at = absolute(path)
    if at in _files.folders or at in _files.files:
        raise FileExistsError(17, "File exists", fspath(path))
    if (at.rpartition("/")[0] or "/") not in _files.folders:
        raise FileNotFoundError(2, "No such file or directory", fspath(path))
    _files.make_folder(at)
    _files.note()


def makedirs(name, mode=0o777, exist_ok=False):
    at = absolute(name)
    if at in _files.files or at in _files.folders and not exist_ok:
        raise FileExistsError(17, "File exists", fspath(name))
    _files.make_folder(at)
    _files.note()


def remove(path, *, dir_fd=None):
    if absolute(path) not in _files.files:
        raise _files.missing(path)
    del _files.files[absolute(path)]


unlink = remove


def rmdir(path, *, dir_fd=None):
    if absolute(path) not in _files.folders:
        raise _files.missing(path)
    if listdir(path):
        raise OSError(39, "Directory not empty", fspath(path))
    _files.folders.discard(absolute(path))


def replace(src, dst, **options):
    if absolute(src) not in _files.files:
        raise _files.missing(src)
    time = _files.times.get(absolute(src))
    _files.keep(dst, _files.files[absolute(src)])
    if time is not None:
        _files.times[absolute(dst)] = time
    if absolute(src) != absolute(dst):
        del _files.files[absolute(src)]


rename = replace


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    at = absolute(path)
    if at not in _files.files and at not in _files.folders:
        raise _files.missing(path)
    if ns is not None:
        times = ns[0] / 1e9, ns[1] / 1e9
    if times is None:
        _files.touch(at)
    else:
        _files.times[at] = float(times[1])


def system(command):
    """Clearing the screen succeeds and does nothing, as an empty command does; a run starts no process."""
    words = fspath(command).replace("|", " ").replace("&", " ").split()
    if not all(it in ("clear", "cls", "reset") for it in words):
        refuse("os.system")
    return 0


def fsync(fd):
    """Does nothing: what is written is in memory."""


def _path_splitroot_ex(path):
    """What `posixpath.splitroot` gives."""
    slash = b"/" if isinstance(fspath(path), bytes) else "/"
    path, none = fspath(path), slash[:0]
    if path[:1] != slash:
        return none, none, path
    if path[1:2] != slash or path[2:3] == slash:
        return none, slash, path[1:]
    return none, path[:2], path[2:]


# What programs may ask for and a lab does not have.
_REFUSED = (
    "popen", "open", "kill", "execv", "execvp", "spawnv", "chmod", "link",
    "symlink", "readlink", "truncate", "pipe", "read", "write", "close", "getlogin",
    "removedirs", "renames", "nice", "waitpid", "startfile",
)


def __getattr__(name):
    if name in _REFUSED:
        return lambda *args, **kwargs: refuse(f"os.{name}")
    raise AttributeError(f"module 'os' has no attribute '{name}' in warpup: a run has no disk, processes or network")


# Last, because they import this module.
sys.modules["os"] = sys.modules["posix"] = sys.modules[__name__]
import posixpath as path  # noqa: E402

sys.modules["os.path"] = path
