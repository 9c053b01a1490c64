"""`importlib.metadata`: the versions of the packages that programs have. Loaded on first use."""


class PackageNotFoundError(ModuleNotFoundError):
    """There is no such package."""

    def __str__(self):
        return f"No package metadata was found for {self.args[0]}"


def version(distribution_name):
    if distribution_name in ("torch", "numpy"):
        # The release alone, as packages are numbered.
        return __import__("warpup" if distribution_name == "torch" else "numpy").__version__.partition("+")[0]
    raise PackageNotFoundError(distribution_name)
