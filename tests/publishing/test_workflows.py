"""Check the workflows against their published schema, and the scripts that they call."""

import os
import re
import subprocess
import sys

import yaml

from repository import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CONTENTS = [yaml.safe_load(path.read_text("utf-8")) for path in WORKFLOWS]
JOBS = [job for content in CONTENTS for job in content["jobs"].values()]
STEPS = [step for job in JOBS for step in job["steps"]]


def test_they_have_the_published_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    checked = subprocess.run(
        [*command, "vendor.github-workflows", *WORKFLOWS], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_scripts_that_they_call_can_be_run() -> None:
    commands = [step["run"].split()[0] for step in STEPS if step.get("run", "").startswith(".ci/")]
    assert ".ci/run" in commands
    assert [name for name in commands if not os.access(ROOT / name, os.X_OK)] == []


def test_each_action_has_a_version() -> None:
    actions = [step["uses"] for step in STEPS if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v1)", name) for name in actions)


def test_no_job_that_runs_a_script_may_write() -> None:
    assert all(content["permissions"] == {"contents": "read"} for content in CONTENTS)
    for job in JOBS:
        if "write" in job.get("permissions", {}).values():
            assert not [step for step in job["steps"] if "run" in step]
