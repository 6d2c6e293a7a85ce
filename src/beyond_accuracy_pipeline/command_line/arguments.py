"""Declare the arguments of `beyond-accuracy add`, without slow imports."""

from beyond_accuracy.command_line.arguments import describe_table
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER

_ADD = """\
Write a catalogue entry, with checksum and shape, for a file of your own: CSV or TSV with a header,
Parquet, ARFF, SVMlight / LIBSVM (.svm, .libsvm, .txt), plain or compressed; or openml:ID."""

_EXAMPLE = """\
example, in the folder of the pipeline:
  beyond-accuracy add ~/data/churn.csv --target churned --positive yes
"""


def describe_add(commands, style) -> None:
    """Add the parser of the command `add` to `commands`, the subparsers of argparse.

    `style` has keyword arguments for the new parser.
    """
    add = commands.add_parser(
        "add",
        help="add a data set to the pipeline",
        description=_ADD,
        epilog=_EXAMPLE,
        **style,
    )
    describe_table(add)
    add.add_argument("--name", help="name of the entry (default: that of the file)")
    add.add_argument(
        "--catalogue",
        metavar="FOLDER",
        default=CATALOGUE_FOLDER,
        help=f"folder of entries (default: {CATALOGUE_FOLDER})",
    )
    add.set_defaults(run=_add)


def _add(arguments):
    from beyond_accuracy_pipeline.command_line.add import add

    return add(arguments)
