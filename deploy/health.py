"""Exit with code 0 if the server at the given address answers: ``health.py [ADDRESS]``."""

import sys
from urllib.request import urlopen

address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8642"
try:
    with urlopen(f"{address}/healthz", timeout=5) as response:
        print(response.read().decode())
except OSError as error:
    sys.exit(f"{address} does not answer: {error}")
