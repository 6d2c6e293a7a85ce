"""Entry point of the command `beyond-accuracy`, with its error messages and exit status."""

import os
import sys
from collections.abc import Sequence

from beyond_accuracy.command_line.arguments import make_parser
from beyond_accuracy.readers.errors import FileError

EXIT_FILE_ERROR = 1
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program `beyond-accuracy` and return the exit status.

    `argv` holds the arguments; None takes the arguments of the process. Wrong usage raises
    SystemExit.
    """
    parser = make_parser()
    arguments = parser.parse_args(argv)
    if arguments.command == "train" and arguments.at_most_k:
        name = arguments.measure.name
        if not name.startswith("recall_at_"):
            parser.error(f"--at-most-k is for --measure recall_at_<k> only, found {name}")
    by_cost = arguments.command == "compare" and "cost" in (arguments.measure or ())
    if by_cost and not arguments.costs:
        parser.error("--measure cost needs the costs of the two kinds of errors: --costs FP FN")
    try:
        return arguments.run(arguments)
    except FileError as error:
        return _fail(str(error))
    except ModuleNotFoundError as error:
        # Only `compare` needs optional packages.
        extra = "pip install 'beyond-accuracy[compare]'"
        return _fail(f"{arguments.command} needs the package {error.name}: {extra}")
    except BrokenPipeError:
        # Python flushes standard output again at exit. This flush must not fail as well.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except OSError as error:
        prefix = f"{error.filename}: " if error.filename else ""
        return _fail(f"{prefix}{error.strerror or error}")
    except MemoryError:
        return _fail(f"{arguments.data}: does not fit into memory")
    except KeyboardInterrupt:
        print("beyond-accuracy: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED


def _fail(message):
    print(f"beyond-accuracy: {message}", file=sys.stderr)
    return EXIT_FILE_ERROR
