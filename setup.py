"""Builds the compiled loops: every `.pyx` below `src`, in parallel. All other settings are in `pyproject.toml`."""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

GCC_STYLE = os.name != "nt"


def extension(source: Path) -> Extension:
    """A module for every Python from 3.11 on. Optional: without a compiler the plain-Python fallback is used."""
    return Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [source.as_posix()],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        extra_compile_args=["-g0"] if GCC_STYLE else [],
        optional=True,
        py_limited_api=True,
    )


class TranslateThenCompile(build_ext):
    """Translates when something is built, not when a tool runs this file only to read the metadata."""

    def build_extensions(self) -> None:
        """Translate every `.pyx` to C below `build/`, then compile on all cores."""
        from Cython.Build import cythonize  # noqa: PLC0415

        # One process translates a module in half a second; starting more processes would take longer.
        translated = cythonize(self.extensions, build_dir="build/cython")
        sources = {one.name: one.sources for one in translated}
        for one in self.extensions:
            one.sources = sources[one.name]
        self.parallel = os.cpu_count()
        super().build_extensions()


loops = sorted(Path("src").rglob("*.pyx"))
setup(cmdclass={"build_ext": TranslateThenCompile}, ext_modules=[extension(path) for path in loops])
