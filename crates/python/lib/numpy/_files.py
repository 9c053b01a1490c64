"""Arrays in files, which a run keeps in its memory: `save`, `savez`, `savetxt` and what reads them. Loaded on first use."""

from numpy import array, asarray
from warpup import _files

# What was written into streams, by number.
_in_streams = []
_MARK = b"\x93NUMPY kept by warpup, number %8d\n"


def _put(file, values, ending):
    """Keeps arrays at a path, or marks a stream with their number."""
    size = sum(it.nbytes for it in values.values())
    if hasattr(file, "write"):
        file.write(_MARK % len(_in_streams))
        file.write(bytes(size))
        _in_streams.append(values)
        return
    path = _files.fspath(file)
    _files.keep(path if path.endswith(ending) else path + ending, _files.Saved((ending, values), size))


def save(file, arr, allow_pickle=True):
    _put(file, {"": array(arr)}, ".npy")


def savez(file, *args, allow_pickle=True, **kwds):
    values = {name: array(it) for name, it in kwds.items()}
    for at, it in enumerate(args):
        if f"arr_{at}" in values:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{at}")
        values[f"arr_{at}"] = array(it)
    _put(file, values, ".npz")


savez_compressed = savez


class NpzFile:
    """The arrays that `savez` kept."""

    def __init__(self, name, values):
        self._name, self._values = name, values
        self.files = list(values)

    def __getitem__(self, key):
        if key not in self._values:
            raise KeyError(f"{key} is not a file in the archive")
        return self._values[key].copy()

    def __contains__(self, key):
        return key in self._values

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def keys(self):
        return list(self.files)

    def values(self):
        return [self[it] for it in self.files]

    def items(self):
        return [(it, self[it]) for it in self.files]

    def get(self, key, default=None):
        return self[key] if key in self else default

    def close(self):
        """Does nothing: the arrays are in memory."""

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def __repr__(self):
        return f"NpzFile {self._name!r} with keys: {', '.join(self.files[:5])}{'...' if len(self.files) > 5 else ''}"


def load(file, mmap_mode=None, allow_pickle=False, **others):
    if hasattr(file, "read"):
        mark = file.read(len(_MARK % 0))
        number = mark.rpartition(b" ")[2].strip()
        if not mark.startswith(_MARK[:8]) or not number.isdigit():
            raise ValueError("This file contains pickled (object) data. If you trust the file you can load it unsafely using the `allow_pickle=` keyword argument or `pickle.load()`.")
        values, name = _in_streams[int(number)], "object"
        file.read(sum(it.nbytes for it in values.values()))
        return values[""].copy() if "" in values else NpzFile(name, values)
    saved = _files.files.get(_files.absolute(file))
    if saved is None:
        raise _files.missing(file)
    ending, values = saved.values
    return values[""].copy() if ending == ".npy" else NpzFile(_files.fspath(file), values)


def savetxt(
    fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None
):
    X = asarray(X)
    if X.ndim == 0 or X.ndim > 2:
        raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
    rows = X.tolist() if X.ndim == 2 else [[it] for it in X.tolist()]
    lines = []
    for text in (header,):
        if text:
            lines.append(comments + text.replace("\n", "\n" + comments))
    for row in rows:
        formats = [fmt] * len(row) if isinstance(fmt, str) and fmt.count("%") == 1 else fmt
        if isinstance(formats, str):
            lines.append(formats % tuple(row))
        else:
            lines.append(delimiter.join(one % it for one, it in zip(formats, row)))
    if footer:
        lines.append(comments + footer.replace("\n", "\n" + comments))
    text = "".join(it + newline for it in lines)
    if hasattr(fname, "write"):
        try:
            fname.write(text)
        except TypeError:
            fname.write(text.encode())
        return
    _files.keep(_files.fspath(fname), _files.Saved((".txt", text), len(text)))


def loadtxt(
    fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
    encoding=None, max_rows=None, **others
):
    rows = []
    for number, line in enumerate(_lines(fname)):
        line = line.partition(comments)[0].strip() if comments else line.strip()
        if number < skiprows or not line:
            continue
        cells = line.split(delimiter)
        if usecols is not None:
            cells = [cells[it] for it in ([usecols] if isinstance(usecols, int) else usecols)]
        if rows and len(cells) != len(rows[0]):
            raise ValueError(
                f"the number of columns changed from {len(rows[0])} to {len(cells)} at row {len(rows) + 1}; use `usecols` to "
                "select a subset and avoid this error"
            )
        rows.append([float(it) for it in cells])
        if len(rows) == max_rows:
            break
    made = array(rows, dtype=dtype) if rows else array([], dtype=dtype)
    if rows and ndmin < 2:
        if len(rows[0]) == 1:
            made = made.reshape(-1)
        elif len(rows) == 1:
            made = made.reshape(-1)
        if made.size == 1 and ndmin < 1:
            made = made.reshape(())
    return made.T if unpack else made


def genfromtxt(
    fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, missing_values=None, filling_values=None,
    usecols=None, unpack=False, max_rows=None, encoding=None, autostrip=False, **others
):
    """As `loadtxt`, with `nan` where a cell is empty or is no number."""
    if any(others.values()):
        raise NotImplementedError(f"genfromtxt({', '.join(others)}) is not part of warpup's numpy; NumPy has it")
    instead = "nan" if filling_values is None else str(filling_values)
    lines = list(_lines(fname))[skip_header:]
    texts = (it.partition(comments)[0].strip() if comments else it.strip() for it in lines[:len(lines) - skip_footer])
    rows = [[_number(cell, instead) for cell in text.split(delimiter)] for text in texts if text]
    made = ["\t".join(row) for row in rows[:max_rows]]
    return loadtxt(made, dtype=dtype, comments=None, delimiter="\t", usecols=usecols, unpack=unpack)


def _number(cell, instead):
    try:
        float(cell)
    except ValueError:
        return instead if not cell.strip() else "nan"
    return cell


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    """The numbers in some bytes, copied: a write changes neither the other."""
    import struct

    from numpy import _dtypes

    kind = _dtypes.of(dtype)
    letter = {
        "float64": "d", "float32": "f", "float16": "e", "int64": "q", "int32": "i", "int16": "h", "int8": "b", "uint8": "B",
        "bool": "?",
    }[kind.name]
    content = bytes(buffer)[offset:]
    if count < 0 and len(content) % kind.itemsize:
        raise ValueError("buffer size must be a multiple of element size")
    count = len(content) // kind.itemsize if count < 0 else count
    if count * kind.itemsize > len(content):
        raise ValueError("buffer is smaller than requested size")
    return array(struct.unpack_from(f"<{count}{letter}", content), dtype=kind)


def _lines(fname):
    if hasattr(fname, "read"):
        text = fname.read()
        return (text.decode() if isinstance(text, bytes) else text).splitlines()
    if isinstance(fname, (list, tuple)) or hasattr(fname, "__next__"):
        return [it.decode() if isinstance(it, bytes) else it for it in fname]
    saved = _files.files.get(_files.absolute(fname))
    if saved is None:
        raise _files.missing(fname)
    if not isinstance(saved, _files.Saved):
        return saved.content.decode().splitlines()
    return saved.values[1].splitlines()
