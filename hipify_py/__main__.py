"""``python -m hipify_py``: the same as the ``hipify-py`` command."""

from __future__ import annotations

from hipify_py.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
