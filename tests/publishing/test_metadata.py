"""Check the metadata of the package, and that its files agree."""

import json
import re
import subprocess
import tomllib
from typing import Any

import yaml

import rollwise
from repository import ROOT

PLACEHOLDER = "OWNER/" + "rollwise"
"""The repository on its host, until a person publishes it."""

CITATION_KEYS = {
    "abstract", "authors", "cff-version", "keywords", "license", "message", "title", "type",
}  # fmt: skip
"""The keys of ``CITATION.cff``. All of them are keys of the Citation File Format 1.2.0."""


def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        content: dict[str, Any] = tomllib.load(file)
    return content


def citation() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return content


def tracked_files() -> list[str]:
    """Return the paths of all files that are tracked, or that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    ignored = {line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()}
    paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return [str(path) for path in paths if ignored.isdisjoint(path.parts)]


def test_one_place_has_the_owner_of_the_repository() -> None:
    places = []
    for name in tracked_files():
        path = ROOT / name
        if path.suffix in {".png", ".gz"} or not path.is_file():
            continue
        lines = path.read_text("utf-8", errors="replace").splitlines()
        places += [(name, line) for line in lines if PLACEHOLDER in line]
    url = f"https://github.com/{PLACEHOLDER}"
    assert places == [("pyproject.toml", f'Repository = "{url}"')]
    assert project()["project"]["urls"] == {"Repository": url}


def test_one_place_has_the_version() -> None:
    assert "version" in project()["project"]["dynamic"]
    path = ROOT / project()["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{rollwise.__version__}"' in path.read_text("utf-8")
    for name in ("pyproject.toml", "CITATION.cff", ".zenodo.json"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(rf'^\W*version\W+"?{rollwise.__version__}', text, re.MULTILINE), name


def test_the_changelog_begins_with_the_version() -> None:
    headings = re.findall(r"^## (\S+) – (?:unreleased|\d{4}-\d\d-\d\d)$",
                          (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)  # fmt: skip
    assert headings[0] == rollwise.__version__


def test_the_citation_has_the_keys_of_its_format() -> None:
    content = citation()
    assert set(content) == CITATION_KEYS
    assert content["cff-version"] == "1.2.0"
    assert content["type"] == "software"
    assert all(set(author) == {"name"} for author in content["authors"])


def test_the_descriptions_of_the_package_agree() -> None:
    package, cited = project()["project"], citation()
    archived = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert archived["upload_type"] == "software"
    assert package["name"] == cited["title"] == archived["title"]
    assert package["description"] == cited["abstract"] == archived["description"]
    assert package["license"] == cited["license"] == archived["license"]
    assert package["keywords"] == cited["keywords"] == archived["keywords"]
    assert package["authors"] == cited["authors"] == archived["creators"]


def test_classifiers_name_the_systems_and_python_versions() -> None:
    package = project()["project"]
    classifiers = package["classifiers"]
    systems = [line for line in classifiers if line.startswith("Operating System :: ")]
    assert [line.split(" :: ")[-1] for line in systems] == ["MacOS", "Windows", "Linux"]
    versions = [
        line.split(" :: ")[-1] for line in classifiers if " :: Python :: 3." in line
    ]  # fmt: skip
    assert package["requires-python"] == f">={versions[0]}"
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
