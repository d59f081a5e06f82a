"""Entry point of the commands in bin/: python bin/lib COMMAND [arguments]."""

import sys

from heddle_platform.command_line import main

sys.exit(main(sys.argv[1:]))
