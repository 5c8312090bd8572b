"""Check the container by the same steps without a container runtime, and check its files."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from repository import ROOT
from servers import serving

DEPLOY = ROOT / "deploy"
HEALTH = DEPLOY / "health.py"


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """A loader that knows the tag ``!reset`` of compose files."""


_Loader.add_constructor("!reset", lambda loader, node: loader.construct_sequence(node))


def compose(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load((DEPLOY / name).read_text("utf-8"), _Loader)
    return content


def health(address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, HEALTH, address], capture_output=True, text=True)


class TestTheContainer:
    TEXT = (DEPLOY / "Dockerfile").read_text("utf-8")

    def test_it_runs_the_tested_steps_without_privileges(self) -> None:
        build, image = self.TEXT.split("\nFROM ")[-2:]
        assert "RUN /source/deploy/install /opt/rollwise" in build
        user, entry = image.index("USER rollwise"), image.index("ENTRYPOINT")
        assert user < entry
        assert "RUN" not in image[user:]

    def test_it_checks_its_health(self) -> None:
        assert "COPY deploy/health.py /opt/rollwise/health.py" in self.TEXT
        assert 'CMD ["python", "/opt/rollwise/health.py"]' in self.TEXT

    def test_the_python_version_is_supported(self) -> None:
        versions = set(re.findall(r"FROM python:([\d.]+)-slim", self.TEXT))
        assert len(versions) == 1
        assert f":: {versions.pop()}" in (ROOT / "pyproject.toml").read_text("utf-8")

    def test_ignored_files_stay_outside(self) -> None:
        ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
        assert {".git", ".venv", "build"} <= set(ignored)


class TestCompose:
    def test_web_waits_for_the_database_and_only_this_machine_reaches_it(self) -> None:
        services = compose("compose.yaml")["services"]
        assert services["web"]["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert services["web"]["ports"] == ["127.0.0.1:8642:8642"]
        assert "healthcheck" in services["database"]
        assert "ports" not in services["database"]
        assert (DEPLOY / services["web"]["build"]["context"]).resolve() == ROOT
        assert (ROOT / services["web"]["build"]["dockerfile"]) == DEPLOY / "Dockerfile"

    def test_only_the_proxy_is_public(self) -> None:
        services = compose("compose.proxy.yaml")["services"]
        assert set(services) == {"web", "proxy"}
        assert services["web"]["ports"] == []
        assert services["web"]["command"][0] == "--allow-host"
        assert "web:8642" in services["proxy"]["command"]

    def test_no_file_contains_a_password(self) -> None:
        for path in DEPLOY.iterdir():
            assignments = re.findall(r"PASSWORD\w*: (.*)", path.read_text("utf-8"))
            assert all(value.startswith("${POSTGRES_PASSWORD") for value in assignments), path


def test_the_health_check_follows_the_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'history.sqlite'}"
    with serving(database, tmp_path) as server:
        answer = health(server.address)
        assert (answer.returncode, answer.stdout.strip()) == (0, '{"status":"ok"}')
    answer = health(server.address)
    assert answer.returncode == 1
    assert f"{server.address} does not answer" in answer.stderr


@pytest.mark.slow
def test_the_steps_of_the_image_without_a_container_runtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    home = tmp_path / "rollwise"
    subprocess.run([DEPLOY / "install", home, "micro-yahtzee"], check=True)
    assert list((home / "cache").glob("micro-yahtzee*.safetensors"))
    monkeypatch.setenv("ROLLWISE_CACHE", str(home / "cache"))
    monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
    database = f"sqlite:///{tmp_path / 'history.sqlite'}"
    with serving(database, tmp_path, python=home / "bin" / "python") as server:
        assert health(server.address).returncode == 0
