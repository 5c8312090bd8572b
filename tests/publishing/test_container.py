"""Check the steps of the container without a container runtime."""

import subprocess
import sys
from pathlib import Path

import pytest

from repository import ROOT
from servers import serving

DEPLOY = ROOT / "deploy"


def health(address: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEPLOY / "health.py"), address]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.slow
def test_the_steps_of_the_image_and_the_health_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    home = tmp_path / "rollwise"
    subprocess.run([DEPLOY / "install", home, "micro-yahtzee"], check=True)
    assert list((home / "cache").rglob("micro-yahtzee*.npz"))
    monkeypatch.setenv("ROLLWISE_CACHE", str(home / "cache"))
    monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
    database = str(tmp_path / "history.sqlite")
    with serving(database, tmp_path, python=home / "bin" / "python") as server:
        answer = health(server.address)
        assert (answer.returncode, answer.stdout.strip()) == (0, '{"status":"ok"}')
    answer = health(server.address)
    assert answer.returncode == 1
    assert f"{server.address} does not answer" in answer.stderr
