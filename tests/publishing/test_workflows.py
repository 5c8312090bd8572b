"""Check the workflows against their published schema, and that they only call tested scripts."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from repository import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)
    return content


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def test_there_are_three_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "pages", "release"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
class TestWorkflow:
    def check(self, path: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
        return subprocess.run(
            [*command, "vendor.github-workflows", path], capture_output=True, text=True
        )

    def test_it_has_the_published_schema(self, path: Path, tmp_path: Path) -> None:
        checked = self.check(path)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        wrong = tmp_path / path.name
        wrong.write_text(path.read_text("utf-8").replace("runs-on:", "runs-at:"))
        assert self.check(wrong).returncode == 1

    def test_each_command_is_a_script_that_ci_run_calls(self, path: Path) -> None:
        lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
        lines += (ROOT / ".ci" / "package").read_text("utf-8").splitlines()
        called = {line for line in lines if line.startswith(".ci/")} | {".ci/run"}
        commands = {step["run"] for step in steps(path) if "run" in step}
        assert commands <= called
        assert all((ROOT / command).stat().st_mode & 0o111 for command in commands)

    def test_each_action_has_a_version(self, path: Path) -> None:
        actions = [step["uses"] for step in steps(path) if "uses" in step]
        assert all(re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v1)", name) for name in actions)

    def test_no_job_may_write_unless_it_publishes(self, path: Path) -> None:
        assert read(path)["permissions"] == {"contents": "read"}
        for name, job in read(path)["jobs"].items():
            if "write" in job.get("permissions", {}).values():
                assert name in ("publish", "deploy")
                assert not [step for step in job["steps"] if "run" in step]


def test_the_systems_run_every_supported_python() -> None:
    classifiers = re.findall(r":: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    for workflow, job in (("ci", "systems"), ("release", "install")):
        jobs = read(ROOT / ".github" / "workflows" / f"{workflow}.yml")["jobs"]
        matrix = jobs[job]["strategy"]["matrix"]
        assert [name.split("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]
        assert {*matrix["python"]} >= {classifiers[0], classifiers[-1]}
    matrix = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["systems"]["strategy"]
    assert matrix["matrix"]["python"] == classifiers
