"""Serves like `comptoir serve`, but reviews the sockets every second instead of every ten."""

import sys

from app.__main__ import main
from app.live import feed

if __name__ == "__main__":
    feed.REVIEW = 1.0
    sys.argv[1:] = ["serve"]
    sys.exit(main())
