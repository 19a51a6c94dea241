"""Builds the compiled loops: every `.pyx` below `src`, in parallel. All other settings are in `pyproject.toml`."""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SHARED = "textassay.kernels._memoryviews"
"""Cython's own code for typed memoryviews, 25,000 lines of C: compiled once instead of once in each module."""
GCC_STYLE = os.name != "nt"


def extension(name: str, source: Path, *arguments: str) -> Extension:
    """A module for every Python from 3.11 on. Optional: without a compiler the plain-Python fallback is used."""
    return Extension(
        name,
        [source.as_posix()],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        extra_compile_args=["-g0", *arguments] if GCC_STYLE else [],
        optional=True,
        py_limited_api=True,
    )


def extensions() -> list[Extension]:
    """One for each `.pyx` and one for what they share, which is called rarely and is optimised little."""
    loops = sorted(Path("src").rglob("*.pyx"))
    shared = Path("src", *SHARED.split(".")).with_suffix(".c")
    named = [extension(".".join(path.relative_to("src").with_suffix("").parts), path) for path in loops]
    return [extension(SHARED, shared, "-O1"), *named]


class TranslateThenCompile(build_ext):
    """Translates when something is built, not when a tool runs this file only to read the metadata."""

    def build_extensions(self) -> None:
        """Translate every `.pyx` to C below `build/`, then compile on all cores."""
        from Cython.Build import cythonize  # noqa: PLC0415

        # One process translates a module in half a second; starting more processes would take longer.
        translated = cythonize(self.extensions, build_dir="build/cython", shared_utility_qualified_name=SHARED)
        sources = {one.name: one.sources for one in translated}
        for one in self.extensions:
            one.sources = sources[one.name]
        self.parallel = os.cpu_count()
        super().build_extensions()


setup(cmdclass={"build_ext": TranslateThenCompile}, ext_modules=extensions())
