"""setuptools: a ``build_ext`` that translates the ``.cu`` sources of extensions and compiles with hipcc.

    from hipify_py.build.setuptools_ext import build_hip_ext
    setup(ext_modules=[Extension("demo", ["demo.cpp", "kernel.cu"])], cmdclass={"build_ext": build_hip_ext})

``HIPCC`` names another hipcc, ``HIP_ARCHITECTURES`` the targets (``gfx90a;gfx942``); without it hipcc builds for the GPU of
the machine. For PyTorch extensions take ``torch.utils.cpp_extension`` with ``translate_sources`` instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

from hipify_py.build import translate_sources


class build_hip_ext(build_ext):  # type: ignore[misc]  # named as commands of setuptools are
    """Compile and link extensions with hipcc."""

    def build_extensions(self) -> None:
        """Make the compiler hipcc, and let it take ``.hip``."""
        compiler: Any = self.compiler
        hipcc = os.environ.get("HIPCC", "hipcc")
        targets = [f"--offload-arch={each}" for each in os.environ.get("HIP_ARCHITECTURES", "").replace(",", ";").split(";")
                   if each]
        compiler.src_extensions = [*compiler.src_extensions, ".hip"]
        command = [hipcc, *targets, "-fPIC", "-O3"]
        link = [hipcc, *targets, "-shared"]
        wanted = {"compiler": command, "compiler_so": command, "compiler_cxx": command, "compiler_so_cxx": command,
                  "linker_so": link, "linker_so_cxx": link}
        compiler.set_executables(**{name: value for name, value in wanted.items() if name in compiler.executables})
        super().build_extensions()

    def build_extension(self, ext: Any) -> None:  # noqa: ANN401 - setuptools has no types
        """Translate, then build as usual."""
        out = Path(self.build_temp) / "hip"
        ext.sources = translate_sources(ext.sources, out=os.path.relpath(out), include_dirs=ext.include_dirs)
        super().build_extension(ext)
