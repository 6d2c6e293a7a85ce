"""Run the program `beyond-accuracy` by `python -m beyond_accuracy.command_line`."""

import sys

from beyond_accuracy.command_line.main import main

sys.exit(main())
