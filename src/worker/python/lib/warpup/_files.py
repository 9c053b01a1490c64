"""The files of a run: kept in memory, lost at its end. `torch.save`, `os` and `pathlib` share them."""

import _host

# What `torch.save` kept, by absolute path, and the folders that the program made.
files = {}
folders = {"/"}


class Saved:
    """What is kept at a path: the values, and the bytes of their tensors."""

    def __init__(self, values, size):
        self.values = values
        self.size = size


def fspath(path):
    """`os.fspath`"""
    if isinstance(path, (str, bytes)):
        return path
    if hasattr(type(path), "__fspath__"):
        return type(path).__fspath__(path)
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def absolute(path):
    """The absolute path, with no `.` and `..`; the working folder is `/`."""
    path = fspath(path)
    parts = []
    for part in (path.decode() if isinstance(path, bytes) else path).split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def keep(path, saved):
    """Keeps a file, and makes its folders."""
    path = absolute(path)
    if path in folders:
        raise IsADirectoryError(21, "Is a directory", path)
    files[path] = saved
    make_folder(path.rpartition("/")[0] or "/")
    note()


def make_folder(path):
    """Makes a folder and those around it."""
    while path not in folders:
        folders.add(path)
        path = path.rpartition("/")[0] or "/"


def note():
    """Says, once a run, where its files are."""
    _host.note(
        "programs here have no files: what torch.save and os.makedirs make is in the memory of this run and lost at its end; "
        "the size of a saved file counts its tensors only"
    )


def missing(path):
    """The error for a path at which nothing was kept."""
    error = FileNotFoundError(2, "No such file or directory", fspath(path))
    error.add_note(
        "hint: programs here have no files: only what torch.save kept in this run is there. Make the data in the program"
    )
    return error


def refuse(what):
    """Raises the error for something that needs the host."""
    raise PermissionError(
        f"{what} is not part of warpup: programs here have no files, processes or network. Make the data in the program, "
        "and keep tensors with torch.save, which holds them in memory until the run ends"
    )
