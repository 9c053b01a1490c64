"""How Python's standard modules are loaded where they need more than the import system gives them.

The interpreter has no access to the host, so `posix` and parts of `io` do not exist. The real modules import with our
`os`, which knows paths and the files that the run keeps in memory. Loaded on first use.
"""

import sys

# Small replacements, which import in about 1 ms or less: `dataclasses` 0.7 to 1.0 ms, `statistics` 0.3 to 0.6 ms. The
# real `dataclasses` imports `inspect`, which alone takes 44 to 68 ms (release build); the real
# `statistics` imports `fractions` and `decimal`. `tqdm` is not a standard module.
_OURS = ("statistics", "dataclasses", "tqdm", "platform", "shutil", "tempfile", "typing_extensions")
# Modules that work with files, or import some that do.
_WITH_FILES = (
    "argparse", "bz2", "code", "configparser", "csv", "dis", "filecmp", "fnmatch", "getopt", "getpass", "glob", "gzip",
    "inspect", "io", "json", "logging", "lzma", "mimetypes", "optparse", "os", "pathlib", "pickle", "pickletools",
    "pkgutil", "pprint", "sched", "secrets", "shelve", "shlex", "sysconfig", "tarfile", "timeit", "tokenize", "traceback",
    "unittest", "urllib", "uuid", "warnings", "wave", "xml", "zipfile", "zoneinfo",
)


def load(name):
    """Imports a module that `_start` does not let through as it is."""
    if name in ("shutil", "tempfile", "typing_extensions"):
        _prepare()
    if name in _OURS:
        _ours(name)
        return
    # Standard modules find their codecs through it, such as latin1.
    import encodings  # noqa: F401

    if name in ("random", "contextlib") and "os" not in sys.modules:
        # They import `os` and use next to nothing of it.
        sys.modules["os"] = type(sys)("os")
        sys.modules["os"].urandom = None
        __import__(name)
        del sys.modules["os"]
    elif name in _WITH_FILES:
        _prepare()
    if name == "unittest":
        # It can catch Ctrl-C, if it is told to.
        unused("signal", ())
    __import__(name)
    if name == "random":
        _make_repeatable(sys.modules["random"])
    elif name == "csv":
        _join_lines(sys.modules["csv"])
    elif name == "zipfile":
        _begin_in_1980(sys.modules["zipfile"])
    elif name == "copy":
        import warpup._copies  # noqa: F401
    elif name == "pickle":
        import warpup._copies  # noqa: F401
        from warpup import _homes

        _homes.importable()


def unused(name, fromlist):
    """A module whose every use is an error: programs import it for something that they do not do here."""
    top, _, rest = name.partition(".")
    if top == "urllib":
        # Its other parts need no network.
        load(top)
    elif top not in sys.modules:
        sys.modules[top] = _Unused(top)
    module = sys.modules[top]
    if rest:
        sys.modules[name] = _Unused(name)
        setattr(module, rest, sys.modules[name])
    if not fromlist:
        return module
    found = sys.modules[name]
    for it in fromlist:
        if it not in vars(found):
            setattr(found, it, _UnusedName(name, it))
    return found


def _refusal(module, name):
    return (
        f"module '{module}' has no attribute '{name}' in warpup: of Python's modules there are those that need no "
        "files, network, processes or threads"
    )


class _Unused(type(sys)):
    """A module that needs files, processes or threads."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "cpu_count" and self.__name__ == "multiprocessing":
            from warpup._os import cpu_count

            return cpu_count
        raise AttributeError(_refusal(self.__name__, name))


class _UnusedName:
    """What `from` imports from such a module."""

    def __init__(self, module, name):
        self._at = module, name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(_refusal(*self._at))

    def __call__(self, *args, **kwargs):
        raise AttributeError(_refusal(*self._at))


def _ours(name):
    __import__("warpup._" + name)
    sys.modules[name] = sys.modules["warpup._" + name]
    if name == "tqdm":
        # Its parts are the same bars in other windows.
        tqdm = sys.modules["tqdm"]
        for part in ("asyncio", "auto", "autonotebook", "contrib", "gui", "notebook", "rich", "std"):
            sys.modules[f"tqdm.{part}"] = tqdm
            setattr(tqdm, part, tqdm)


def _prepare():
    """Puts what the standard modules need in place: `os`, `posix` and the parts of `io` that open files."""
    import _io

    if hasattr(_io, "FileIO"):
        return
    from warpup._files import refuse
    from warpup._start import open

    class FileIO(_io._RawIOBase):
        """The class of open files, of which there are none."""

        def __init__(self, file, *args, **kwargs):
            refuse(f"FileIO({file!r})")

    _io.FileIO, _io.open, _io.open_code = FileIO, open, open
    _ours("os")


def _join_lines(csv):
    """The native reader takes each line for a record; one in quotes goes on in the next."""
    native = csv.reader

    def records(lines, quote):
        kept = ""
        for line in lines:
            kept += line
            if not quote or kept.count(quote) % 2 == 0:
                yield kept
                kept = ""
        if kept:
            yield kept

    def reader(csvfile, dialect="excel", **options):
        known = csv.get_dialect(dialect) if isinstance(dialect, str) else dialect
        quote = options.get("quotechar", getattr(known, "quotechar", '"'))
        if options.get("quoting", getattr(known, "quoting", 0)) == csv.QUOTE_NONE:
            quote = None
        return native(records(csvfile, quote), dialect, **options)

    csv.reader = reader


def _begin_in_1980(zipfile):
    """Archives know no earlier date, and the clock of a run begins in 1970."""
    info, first = zipfile.ZipInfo, (1980, 1, 1, 0, 0, 0)
    made, header = info.__init__, info.FileHeader
    info.__init__ = lambda self, filename="NoName", date_time=first: made(self, filename, max(tuple(date_time), first))

    def FileHeader(self, zip64=None):
        self.date_time = max(self.date_time, first)
        return header(self, zip64)

    info.FileHeader = FileHeader


def _make_repeatable(random):
    """Makes 0 the seed where a program gives none, so that a lab repeats."""
    seeded = random.Random.seed
    random.Random.seed = lambda self, a=None, version=2: seeded(self, 0 if a is None else a, version)
    random.seed = random._inst.seed
    random.seed()
    # `secrets` needs it; what it gives repeats, too.
    random.SystemRandom = random.Random
