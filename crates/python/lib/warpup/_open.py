"""`open` for the files of a run, which are in memory: text and bytes. Loaded on first use."""

import io

from warpup import _files


class Written:
    """The bytes of a file that the program wrote."""

    def __init__(self, content=b""):
        self._content = content
        self.writer = None

    @property
    def content(self):
        return self._content if self.writer is None else self.writer.getvalue()

    @property
    def size(self):
        return len(self.content)

    def finish(self):
        self._content, self.writer = self.content, None
        for path, it in _files.files.items():
            if it is self:
                _files.touch(path)


class _Raw(io.BytesIO):
    """An open file, in bytes. What is written shows to others at once, as after a flush."""

    def begin(self, path, kept, mode):
        self.name, self.mode = path, mode
        self._reads, self._writes = "r" in mode or "+" in mode, mode.strip("bt") != "r"
        self._appends = "a" in mode
        self._kept = kept if self._writes else None
        if self._writes:
            kept.writer = self
        self.seek(0, 2 if self._appends else 0)
        return self

    def readable(self):
        return self._reads

    def writable(self):
        return self._writes

    def fileno(self):
        # `os.fsync` takes it; nothing else does.
        return 3

    def isatty(self):
        return False

    def write(self, data):
        if not self._writes:
            raise io.UnsupportedOperation("not writable")
        if self._appends:
            self.seek(0, 2)
        return super().write(data)

    def read(self, size=-1):
        self._check_reads()
        return super().read(size)

    def read1(self, size=-1):
        self._check_reads()
        return super().read1(size)

    def readinto(self, buffer):
        self._check_reads()
        return super().readinto(buffer)

    def readline(self, size=-1):
        self._check_reads()
        return super().readline(size)

    def _check_reads(self):
        if not self._reads:
            raise io.UnsupportedOperation("not readable")

    def close(self):
        if not self.closed and self._kept is not None:
            self._kept.finish()
        super().close()


class _Text(io.TextIOWrapper):
    """An open file, in text."""

    def write(self, text):
        if not self.buffer.writable():
            raise io.UnsupportedOperation("not writable")
        return super().write(text)


def open(
    file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None
):
    """Opens a file of this run."""
    if isinstance(file, int):
        _files.refuse(f"open({file})")
    given = _files.fspath(file)
    kinds = [it for it in mode if it in "rwax"]
    if not mode or set(mode) - set("rwaxbt+") or len(mode) != len(set(mode)):
        raise ValueError(f"invalid mode: '{mode}'")
    if "b" in mode and "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    if len(kinds) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    for name, value in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if "b" in mode and value is not None:
            raise ValueError(f"binary mode doesn't take {'a' if name == 'newline' else 'an'} {name} argument")
    kept = _kept(given, kinds[0])
    raw = _Raw(kept.content).begin(given, kept, mode)
    if "b" in mode:
        return raw
    text = _Text(raw, encoding or "utf-8", errors, newline, write_through=True)
    text.mode = mode
    return text


def _kept(given, kind):
    """The file at a path, made if the mode makes one."""
    path = _files.absolute(given)
    if path in _files.folders:
        raise IsADirectoryError(21, "Is a directory", given)
    found = _files.files.get(path)
    if found is None and kind == "r":
        raise _files.missing(given)
    if found is not None and kind == "x":
        raise FileExistsError(17, "File exists", given)
    if (path.rpartition("/")[0] or "/") not in _files.folders:
        raise FileNotFoundError(2, "No such file or directory", given)
    if found is None or kind == "w":
        found = Written()
        _files.keep(path, found)
    elif isinstance(found, _files.Given):
        found = _files.files[path] = Written(found.content)
    elif not isinstance(found, Written):
        # A file of `torch.save`, in bytes that `torch.load` understands.
        from warpup import serialization

        found = Written(serialization.bytes_of(found))
    return found
