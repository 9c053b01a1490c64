"""The files of a run: kept in memory, lost at its end. `open`, `torch.save`, `os` and `pathlib` share them."""

import _host

# What was written, by absolute path, and the folders that the program made.
files = {}
folders = {"/", "/tmp"}
# When each was made or last written, in seconds of the run's clock.
times = {}
_changes = 0
# The working folder: that of a program in a file is where it was started.
working = "/"


def touch(path):
    """Notes that what is at an absolute path has changed. Two changes never have the same time."""
    global _changes
    from warpup import _time

    _changes += 1
    times[path] = _time.time() + _changes * 1e-6


class Given:
    """A text file of the program's folder. What the program writes goes to a copy in memory."""

    def __init__(self, text):
        self._text = text

    @property
    def content(self):
        return self._text.encode()

    @property
    def size(self):
        return len(self.content)


class Saved:
    """What is kept at a path: the values, and the bytes of their tensors."""

    def __init__(self, values, size):
        self.values = values
        self.size = size
        # Its number among what was written as bytes.
        self.number = None


def fspath(path):
    """`os.fspath`"""
    if isinstance(path, (str, bytes)):
        return path
    if hasattr(type(path), "__fspath__"):
        return type(path).__fspath__(path)
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def absolute(path):
    """The absolute path, with no `.` and `..`."""
    path = fspath(path)
    path = path.decode() if isinstance(path, bytes) else path
    if not path.startswith("/"):
        path = f"{working}/{path}"
    parts = []
    for part in path.split("/"):
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
    touch(path)
    make_folder(path.rpartition("/")[0] or "/")
    note()


def make_folder(path):
    """Makes a folder and those around it."""
    while path not in folders:
        folders.add(path)
        touch(path)
        path = path.rpartition("/")[0] or "/"


def remove_folder(path):
    """Removes a folder with all that is in it."""
    begin = absolute(path)
    for known in (folders, files):
        for it in [it for it in known if it == begin or it.startswith(begin + "/")]:
            known.remove(it) if known is folders else known.pop(it)


def copied(saved):
    """What a copy of a file holds: later writes to one do not show in the other."""
    if isinstance(saved, Saved):
        return saved
    if isinstance(saved, Given):
        return saved
    return type(saved)(saved.content)


def note():
    """Says, once a run, where its files are."""
    _host.note(
        "a run has no disk: what the program writes is in the memory of this run and lost at its end; "
        "the size of a file of torch.save counts its tensors only"
    )


def missing(path):
    """The error for a path at which nothing was kept."""
    error = FileNotFoundError(2, "No such file or directory", fspath(path))
    error.add_note(
        "hint: a run has no disk: it reads what it has written, and the text files of its own folder that the program names"
    )
    return error


def refuse(what):
    """Raises the error for something that needs the host."""
    raise PermissionError(
        f"{what} is not part of warpup: a run has no processes and no network, and its files are in the memory of the run. "
        "Make the data in the program"
    )


def _begin():
    """Adds the folders of the host that the program sees, the program itself, and the text files that it names."""
    global working
    place = _host.place()
    if place is None:
        return
    folder, working, path, source = place
    make_folder(folder)
    make_folder(working)
    files[path] = Given(source)
    for name, text in _host.data():
        name = absolute(f"{folder}/{name}")
        files[name] = Given(text)
        make_folder(name.rpartition("/")[0])


_begin()
