#!/usr/bin/env python
"""Django's command line for this installation."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "bin" / "lib"))


def main() -> None:
    """Run the named management command, on the product that runs here unless told otherwise."""
    from heddle_platform.running import join_running_installation

    join_running_installation(os.environ)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
