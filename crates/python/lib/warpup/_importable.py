"""What a program of a lab can import."""

import _host

# What programs can import besides `torch`. Those in `QUICK` load as they are; `_standard` prepares the others.
QUICK = ("math", "time", "itertools", "functools", "collections", "typing", "operator", "numpy", "torchvision", "__future__")
ALLOWED = (
    "warpup", "torch", *QUICK, "random", "statistics", "dataclasses", "contextlib", "sys",
    "abc", "argparse", "array", "ast", "atexit", "base64", "binascii", "bisect", "builtins", "bz2", "calendar", "cmath",
    "code", "codecs", "colorsys", "configparser", "contextvars", "copy", "copyreg", "csv", "datetime", "decimal", "difflib",
    "dis", "enum", "errno", "filecmp", "fnmatch", "fractions", "gc", "getopt", "getpass", "glob", "graphlib", "gzip",
    "hashlib", "heapq", "hmac", "html", "importlib", "inspect", "io", "ipaddress", "json", "keyword", "linecache", "locale",
    "logging", "lzma", "mimetypes", "numbers", "optparse", "os", "pathlib", "pickle", "pickletools", "pkgutil",
    "platform", "pprint", "quopri", "re", "reprlib", "sched", "secrets", "shelve", "shlex", "shutil", "stat",
    "string", "struct", "sysconfig", "tarfile", "tempfile", "textwrap", "timeit", "token", "tokenize", "tomllib", "tqdm",
    "traceback", "types", "typing_extensions", "unicodedata", "unittest", "urllib", "uuid", "warnings", "wave", "weakref",
    "xml", "zipfile", "zlib", "zoneinfo",
)
# Packages that only draw: `_matplotlib` stands in for them.
PLOT_PACKAGES = ("IPython", "matplotlib", "mpl_toolkits", "seaborn")
# The names of the program's own modules: these files are beside it.
PROGRAMS = {"__main__"}
if _host.modules():
    from warpup import _neighbours

    PROGRAMS |= _neighbours.names(_host.modules())
