"""Check that the files with metadata of the package agree."""

import json
import re
import tomllib

import yaml

import rollwise
from repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
ARCHIVE = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))


def test_the_descriptions_agree() -> None:
    assert PROJECT["name"] == CITATION["title"] == ARCHIVE["title"]
    assert PROJECT["description"] == CITATION["abstract"] == ARCHIVE["description"]
    assert PROJECT["license"] == CITATION["license"] == ARCHIVE["license"]
    assert PROJECT["keywords"] == CITATION["keywords"] == ARCHIVE["keywords"]
    assert PROJECT["authors"] == CITATION["authors"] == ARCHIVE["creators"]


def test_the_changelog_begins_with_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## (\S+) – (?:unreleased|\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)
    assert headings[0] == rollwise.__version__


def test_all_files_have_the_same_python_versions() -> None:
    classified = re.findall(r":: Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={classified[0]}"
    ci = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    assert ci["jobs"]["systems"]["strategy"]["matrix"]["python"] == classified
    container = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    assert set(re.findall(r"FROM python:([\d.]+)-slim", container)) <= {*classified}
