"""The built site."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest) -> Path:
    """Return the folder of the site."""
    folder: Path | None = request.config.getoption("site")
    if folder is None:
        pytest.skip("needs the site: build it, and pass --site=FOLDER")
    return folder.absolute()
