"""The standard module `shutil`, for the files of the run."""

from warpup import _files, _os
from warpup._os import get_terminal_size  # noqa: F401


class Error(OSError):
    """shutil.Error"""


class SameFileError(Error):
    """The source and the destination are the same file."""


def rmtree(path, ignore_errors=False, onerror=None, *, onexc=None, dir_fd=None):
    if _files.absolute(path) in _files.folders:
        _files.remove_folder(path)
    elif not ignore_errors:
        raise _files.missing(path)


def copyfile(src, dst, *, follow_symlinks=True):
    found = _files.files.get(_files.absolute(src))
    if found is None:
        raise _files.missing(src)
    if _files.absolute(src) == _files.absolute(dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    _files.keep(dst, _files.copied(found))
    return dst


def copy(src, dst, *, follow_symlinks=True):
    if _os.path.isdir(dst):
        dst = _os.path.join(dst, _os.path.basename(src))
    return copyfile(src, dst)


copy2 = copy


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    _os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in _os.listdir(src):
        begin, end = _os.path.join(src, name), _os.path.join(dst, name)
        if _os.path.isdir(begin):
            copytree(begin, end, copy_function=copy_function, dirs_exist_ok=dirs_exist_ok)
        else:
            copy_function(begin, end)
    return dst


def move(src, dst, copy_function=copy2):
    if _os.path.isdir(dst):
        dst = _os.path.join(dst, _os.path.basename(_files.fspath(src).rstrip("/")))
    if _os.path.isdir(src):
        copytree(src, dst)
        rmtree(src)
    else:
        _os.replace(src, dst)
    return dst


def which(cmd, mode=1, path=None):
    """`None`: a run has no programs."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"module 'shutil' has no attribute '{name}' in warpup: a run has no disk, and its files are in the memory of the run"
    )
