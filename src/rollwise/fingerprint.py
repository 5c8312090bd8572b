"""Fingerprints of source code, for the keys of cached results.

A fingerprint changes if the code changes. It ignores comments, docstrings, and the names of local
variables and modules, so edits to these parts do not invalidate cached results.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from rollwise.files import compiled_folder, write_atomically

PACKAGE = Path(__file__).parent

SHIPPED = PACKAGE / "tables"
"""The folder of solved tables and saved fingerprints in a wheel; a checkout does not have it."""

LENGTH = 16
"""The number of hexadecimal digits of a fingerprint."""

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
FUNCTIONS = SCOPES[:3]


@cache
def fingerprint(*folders: Path, suffixes: tuple[str, ...] = (".py",)) -> str:
    """Return a short hash of the code in the given folders and their subfolders.

    Parsing the whole package takes a second. The function therefore saves the result beside the
    compiled code, under a hash of the files.

    Parameters
    ----------
    suffixes : tuple of str
        The suffixes of the files to include. Files other than ``.py`` are hashed byte by byte.
    """
    files = _read(folders, suffixes)
    name = _saved_name(files)
    saved = compiled_folder() / name
    for path in (saved, SHIPPED / name):
        with suppress(OSError, ValueError):
            text = path.read_text(encoding="ascii")
            int(text, 16)  # fails if the file is damaged
            if len(text) == LENGTH:
                return text
    result = _hash(sorted(_form_of_files(files)))
    with suppress(OSError):  # if it fails, the next process computes the fingerprint again
        saved.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(saved, result.encode())
    return result


def saved_fingerprint(*folders: Path) -> Path:
    """Return the file in which :func:`fingerprint` saves its result for these folders."""
    return compiled_folder() / _saved_name(_read(folders, (".py",)))


def _read(folders: Iterable[Path], suffixes: tuple[str, ...]) -> list[tuple[Path, bytes]]:
    paths = sorted({path for folder in folders for path in folder.rglob("*.*")})
    return [(path, path.read_bytes()) for path in paths if path.suffix in suffixes]


def _saved_name(files: list[tuple[Path, bytes]]) -> str:
    parts = [(path.relative_to(path.parents[1]).as_posix(), content) for path, content in files]
    return f"fingerprint.{_hash(parts)}"


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:LENGTH]


def _form_of_files(files: list[tuple[Path, bytes]]) -> Iterator[str]:
    """Yield the hash of each file, with imports replaced by the hashes of the imported modules."""
    trees = {path: ast.parse(content) for path, content in files if path.suffix == ".py"}
    modules: dict[str, list[str]] = {}
    for path, tree in trees.items():
        modules.setdefault(path.stem, []).append(_hash(_form(tree, {}, {})))
    for path, content in files:
        yield _hash(_form(trees[path], {}, modules) if path in trees else content)


def _form(node: Any, names: dict[str, int], modules: dict[str, list[str]]) -> Any:
    """Return a syntax tree as tuples that are the same in all versions of Python.

    Parameters
    ----------
    names : dict
        The number that replaces each name of a local variable.
    modules : dict
        The hashes of all modules with the same name, by module name.
    """
    if isinstance(node, list):
        return [_form(item, names, modules) for item in node if not _is_docstring(item)]
    if isinstance(node, ast.Name):
        return "Name", names.get(node.id, node.id)
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rollwise"):
        stem = str(node.module).rpartition(".")[2]
        imported = sorted((alias.name, alias.asname or "") for alias in node.names)
        return "ImportFrom", modules.get(stem, stem) if modules else "", imported
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, FUNCTIONS):
        names = _with_locals_of(node, names)
    fields = [(field, value) for field, value in ast.iter_fields(node) if value not in (None, [])]
    return type(node).__name__, [(field, _form(value, names, modules)) for field, value in fields]


def _is_docstring(node: Any) -> bool:
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant and isinstance(node.value.value, str)


def _with_locals_of(function: Any, names: dict[str, int]) -> dict[str, int]:
    """Return ``names`` with the local variables of a function added.

    Parameters keep their names, because a call can use them.
    """
    parameters = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    inner = [node for node in _inside(function) if isinstance(node, (ast.Global, ast.Nonlocal))]
    elsewhere = {name for node in inner for name in node.names}
    stored = [
        node.id
        for node in _inside(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    local = [name for name in dict.fromkeys(stored) if name not in parameters | elsewhere]
    outer = {name: number for name, number in names.items() if name not in parameters}
    first = 1 + max(names.values(), default=-1)
    return outer | {name: number for number, name in enumerate(local, start=first)}


def _inside(function: Any) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, but not the bodies of nested functions and classes."""
    body = function.body if isinstance(function.body, list) else [function.body]
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += reversed(list(ast.iter_child_nodes(node)))
