"""`python -m beyond_accuracy.command_line` is the program `beyond-accuracy`."""

import sys

from beyond_accuracy.command_line.main import main

sys.exit(main())
