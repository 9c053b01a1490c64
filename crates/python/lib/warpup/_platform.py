"""The standard module `platform`: what programs print about where they run. A lab sees no host, so names of hosts are empty."""

import sys


def system():
    return "Linux"


def machine():
    return ""


node = release = version = processor = machine


def python_implementation():
    return "RustPython"


def python_version():
    return ".".join(str(it) for it in sys.version_info[:3])


def python_version_tuple():
    return tuple(python_version().split("."))


def platform(aliased=False, terse=False):
    return system()


def architecture(executable="", bits="", linkage=""):
    return (bits or "64bit", linkage)
