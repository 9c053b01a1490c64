//! Which files of a trace are not the learner's own: those of Python's library, of PyTorch and of other packages.
//!
//! PyTorch writes paths without the folder in which Python found a module, so a path tells only by its names.

/// Packages that are used with PyTorch.
const PACKAGES: &str = "torch torchvision torchaudio numpy pandas transformers accelerate \
    lightning pytorch_lightning datasets tqdm PIL scipy triton site-packages";

/// Modules of Python's library (`sys.stdlib_module_names`), without those whose names a learner's own script is likely to have,
/// such as `trace` and `profile`.
const LIBRARY: &str = "_collections_abc _compat_pickle _compression _py_abc _pydecimal _pyio _sitebuiltins _strptime _threading_local \
    _weakrefset abc aifc argparse ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins \
    bz2 cProfile cgi cgitb cmath codecs codeop collections colorsys compileall concurrent configparser contextlib \
    contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest \
    encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc \
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr importlib \
    inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes \
    mmap modulefinder multiprocessing netrc nntplib ntpath nturl2path numbers opcode operator optparse os \
    ossaudiodev pathlib pdb pickle pickletools pkgutil plistlib poplib posix posixpath pprint pstats pwd py_compile \
    pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy select \
    selectors shelve shlex shutil signal smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile \
    sre_constants sre_parse ssl string stringprep struct subprocess sunau sys sysconfig syslog tabnanny tarfile \
    telnetlib tempfile termios textwrap threading time timeit tkinter tokenize tomllib traceback tracemalloc types \
    typing unicodedata unittest urllib uu uuid venv warnings weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp \
    zipfile zipimport zlib zoneinfo";

/// Whether a file is the learner's own.
pub(super) fn is_own(path: &str) -> bool {
    let is_inside = ["site-packages/", "dist-packages/", "/torch/", "lib/python"]
        .iter()
        .any(|it| path.contains(it));
    let first = path.split('/').next().unwrap_or_default();
    let module = first.strip_suffix(".py").unwrap_or(first);
    let is_named = |names: &str| names.split(' ').any(|it| it == module);
    let is_foreign = is_named(PACKAGES) || is_named(LIBRARY);
    !path.starts_with('<') && !is_inside && !is_foreign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_libraries_are_foreign() {
        for path in [
            "torch/nn/modules/module.py",
            "hmac.py",
            "multiprocessing/connection.py",
            "_weakrefset.py",
            "<frozen runpy>",
            "/usr/lib/python3.12/site-packages/x/y.py",
        ] {
            assert!(!is_own(path), "{path}");
        }
        for path in [
            "train.py",
            "trace.py",
            "src/data/torch.py",
            "hmac_of_mine.py",
        ] {
            assert!(is_own(path), "{path}");
        }
    }
}
