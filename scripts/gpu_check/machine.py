"""Finds the executables and CUDA's libraries, and says what machine this is."""

import ctypes
import datetime
import glob
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import sysconfig

LIBRARIES = ("libcublas.so.*", "libcublasLt.so.*", "libcurand.so.*", "libcudart.so.*")
XZ = b"\xfd7zXZ\x00"


def executable(given, name, root, folder):
    """Puts an executable into the folder, unpacked; None if there is none."""
    release = root / "target/release" / name
    places = [pathlib.Path(given)] if given else [release, release.with_suffix(".xz"), root / name, root / f"{name}.xz"]
    if not given and shutil.which(name):
        places.append(pathlib.Path(shutil.which(name)))
    for place in places:
        if place.is_file():
            target = folder / name
            with open(place, "rb") as file:
                is_packed = file.read(6) == XZ
            if is_packed:
                # Not every Python has it, and it is needed for packed ones only.
                import lzma
            with (lzma.open(place) if is_packed else open(place, "rb")) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            target.chmod(0o755)
            return target, place
    return None, None


def library_folders(given, worker):
    """Folders with CUDA's libraries: those given, those the worker was built with, PyTorch's, a toolkit's."""
    if given:
        return given.split(os.pathsep)
    places = []
    note = pathlib.Path(f"{worker}.toml") if worker else None
    if note and note.is_file():
        for line in note.read_text().splitlines():
            if line.startswith("library_path"):
                places += [it for it in line.partition("=")[2].strip(" []").replace('"', "").split(", ") if it]
    packages = {sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"], *sys.path}
    for package in sorted(packages):
        places += sorted(glob.glob(f"{package}/nvidia/cu1*/lib")) + sorted(glob.glob(f"{package}/nvidia/*/lib"))
    places += sorted(glob.glob("/usr/local/cuda*/lib64"), reverse=True)
    found = [it for it in places if any(glob.glob(f"{it}/{name}") for name in LIBRARIES)]
    return list(dict.fromkeys(found))


def described(session, torch_version):
    """What the report says about the machine. No name of a host or a person is in it."""
    def said(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=20, cwd=session.root).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            return ""

    smi = "--query-gpu=driver_version,pstate,power.limit"
    commit = said("git", "rev-parse", "--short=7", "HEAD")
    return {
        "card": session.card or "no card",
        "date": datetime.date.today().isoformat(),
        "driver": said("nvidia-smi", smi, "--format=csv,noheader").split("\n")[0] or "none",
        "PyTorch": torch_version or "not importable here: nothing stands beside the figures",
        "Python": platform.python_version(),
        "host": f"{len(os.sched_getaffinity(0))} cores, {platform.machine()}, glibc {platform.libc_ver()[1] or 'unknown'}",
        "warpup": said(str(session.warpup), "--version") if session.warpup else "none",
        "commit": commit or os.environ.get("WARPUP_COMMIT", "unknown"),
        "load at the start": " ".join(f"{it:.1f}" for it in os.getloadavg()),
    }


class Nvml:
    """The card's memory as the driver counts it, without a context."""

    class Memory(ctypes.Structure):
        _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]

    def __init__(self, uuid):
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        self.card = ctypes.c_void_p()
        asked = uuid.encode() if uuid else b""
        if self.library.nvmlInit_v2() != 0:
            raise OSError("nvmlInit failed")
        by_uuid = self.library.nvmlDeviceGetHandleByUUID
        if not asked or by_uuid(ctypes.c_char_p(asked), ctypes.byref(self.card)) != 0:
            if self.library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.card)) != 0:
                raise OSError("NVML knows no card")

    def used(self):
        """Bytes in use on the card, by anybody."""
        memory = self.Memory()
        if self.library.nvmlDeviceGetMemoryInfo(self.card, ctypes.byref(memory)) != 0:
            raise OSError("NVML does not say how much memory is used")
        return memory.used


def holds_card(pid):
    """Whether a process has a card's device file open, as each with a CUDA context has."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{it}") for it in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return False
    return any(link.startswith("/dev/nvidia") and link[len("/dev/nvidia") :].isdigit() for link in links)


def descendants(pid):
    """The process and all that it started, as far as they are there."""
    parents = {}
    for status in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = pathlib.Path(status).read_text()
        except OSError:
            continue
        parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(text.split()[0]))
    found, open_ = [], [pid]
    while open_:
        one = open_.pop()
        found.append(one)
        open_ += parents.get(one, [])
    return found
