"""Finds the executables and the CUDA libraries, and describes the machine."""

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
    """Copies an executable into the folder and unpacks it; returns the copy and its source, or None twice."""
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
                # Not every Python has lzma, and only packed executables need it.
                import lzma
            with (lzma.open(place) if is_packed else open(place, "rb")) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            target.chmod(0o755)
            return target, place
    return None, None


def library_folders(given, worker):
    """The folders with CUDA libraries: the given ones, else those of the worker's build, of PyTorch and of toolkits."""
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
    """The description of the machine for the report, without the name of a host or a person."""
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
        "PyTorch": torch_version or "not importable here: no figures to compare with",
        "Python": platform.python_version(),
        "host": f"{len(os.sched_getaffinity(0))} cores, {platform.machine()}, glibc {platform.libc_ver()[1] or 'unknown'}",
        "warpup": said(str(session.warpup), "--version") if session.warpup else "none",
        "commit": commit or os.environ.get("WARPUP_COMMIT", "unknown"),
        "load at the start": " ".join(f"{it:.1f}" for it in os.getloadavg()),
    }


class Nvml:
    """The memory of the card as the driver counts it, without a CUDA context."""

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
                raise OSError("NVML finds no card")

    def used(self):
        """Bytes in use on the card, by all processes."""
        memory = self.Memory()
        if self.library.nvmlDeviceGetMemoryInfo(self.card, ctypes.byref(memory)) != 0:
            raise OSError("NVML does not report the memory in use")
        return memory.used


def holds_card(pid):
    """Whether a process has the device file of a card open, as every process with a CUDA context has."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{it}") for it in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return False
    return any(link.startswith("/dev/nvidia") and link[len("/dev/nvidia") :].isdigit() for link in links)


def descendants(pid):
    """The ids of the process and of all its living descendants."""
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
