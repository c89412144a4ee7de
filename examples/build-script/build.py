"""A shared library from CUDA sources, in plain Python: translate, then call hipcc. See README.md."""

from __future__ import annotations

import subprocess
import sys

from hipify_py.build import translate_sources

FLAGS = sys.argv[1:] or ["-O3"]

sources = translate_sources(["src/scale.cu"], out="build/hip")
subprocess.run(["hipcc", *FLAGS, "-shared", "-fPIC", "-o", "build/libscale.so", *sources], check=True)
print("build/libscale.so")
