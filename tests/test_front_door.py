"""What ``import rollwise`` gives: each name listed once, documented, and loaded only when used."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rollwise

NAMES = [name for name in dir(rollwise) if not name.startswith("_")]


class TestNames:
    def test_dir_is_what_a_star_imports(self) -> None:
        space: dict[str, object] = {}
        exec("from rollwise import *", space)
        assert sorted(set(space) - {"__builtins__"}) == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_each_is_documented(self, name: str) -> None:
        assert (getattr(rollwise, name).__doc__ or "").strip()

    def test_no_module_hides_one(self) -> None:
        inside = {path.stem for path in Path(str(rollwise.__file__)).parent.iterdir()}
        assert inside & set(NAMES) == {"errors"}
        assert rollwise.errors is import_module("rollwise.errors")

    def test_other_names_are_refused(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute 'solver'"):
            rollwise.solver  # type: ignore[attr-defined]  # noqa: B018

    def test_neither_numpy_nor_numba_is_loaded_for_the_list(self) -> None:
        program = "import sys, rollwise; dir(rollwise); print({'numpy', 'numba'} & {*sys.modules})"
        shown = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert shown.stdout == "set()\n"
