"""Define the arguments of `beyond-accuracy`. Slow imports are avoided, so that `--help` is fast."""

import argparse
import math
import sys
from importlib import import_module
from importlib.metadata import entry_points, version

_DESCRIPTION = """\
Train linear SVMs that optimize F1, PRBEP, recall at k, ROC area and other measures, and apply
them, on files in SVMlight format, `label index:value ...`, one example a line, plain or compressed
(gzip, bzip2, xz). Find out which method suits a table, and add it to the pipeline's data sets."""

_EXAMPLE = """\
example:
  beyond-accuracy train --measure f1 -C 499.9 train.svm model.json
  beyond-accuracy predict test.svm model.json predictions.txt
  beyond-accuracy compare data.csv --target label --measure f1

exit status: 0 success, 1 error in a file, 2 wrong usage, 3 model written but not converged,
130 interrupted
"""

_TRAIN = """\
Train on a file with two label values, the larger one for the positive class, and write a model
in JSON. Progress goes to standard error."""

_TRAIN_EXAMPLE = """\
measures: f1, f<beta> (f0.5, f2), jaccard, prbep, precision_at_<k>, recall_at_<k> (k a count, or a
multiple of the positives such as 2p), roc_area, partial_roc_area_<a>_<b> (false positive rates),
average_precision, accuracy, balanced_accuracy, precision, recall

example:
  beyond-accuracy train --measure recall_at_2p -C 100 train.svm model.json
"""

_PREDICT = """\
Write a decision value a line; above 0 predicts the positive class. If the labels are those of
the model, the measure it was trained for and the usual ones are printed on standard error; label
every line 0 if the labels are not known. Features that the model does not know count as 0."""

_PREDICT_EXAMPLE = """\
example:
  beyond-accuracy predict test.svm model.json > predictions.txt
"""

_COMPARE = """\
Compare classifiers on a binary task by nested cross-validation, as they are and with tuned
thresholds: your own, or logistic regression, gradient boosting, the cost-sensitive and the
multivariate SVM. Prints a table with intervals and what to use, and writes a page with a slider for
thresholds. Files: CSV or TSV with a header, Parquet, ARFF, SVMlight (.svm, .libsvm, .txt), plain
or compressed."""

_COMPARE_EXAMPLE = """\
example:
  beyond-accuracy compare churn.csv --target churned --positive yes --measure f1
  beyond-accuracy compare loans.csv --target default --measure f1 --measure cost --costs 1 amount \\
      --estimator lightgbm.LGBMClassifier --estimator sklearn.naive_bayes.GaussianNB
"""

_ROLES = (
    ("--positive", "CLASS", "class that is positive, against all others (default: the second)"),
    ("--drop", "COLUMN", "column to leave out (empty columns and identifiers are left out by "
     "themselves)"),
    ("--keep", "COLUMN", "column to keep, although each row has another text or whole number"),
    ("--nominal", "COLUMN", "column whose numbers are codes, or the target if many whole numbers "
     "are its classes"),
)  # fmt: skip


def make_parser() -> argparse.ArgumentParser:
    """Return the argument parser of `beyond-accuracy`.

    The parsed arguments have an attribute `run`, the function that executes the subcommand.
    """
    style = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = argparse.ArgumentParser(
        prog="beyond-accuracy", description=_DESCRIPTION, epilog=_EXAMPLE, **style
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"beyond-accuracy {version('beyond-accuracy')}",
        help="show the version and exit",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="{train,predict,add,compare}"
    )
    for describe in (_describe_train, _describe_predict, _describe_compare):
        describe(commands, style)
    for command in entry_points(group="beyond_accuracy.commands"):
        try:
            command.load()(commands, style)
        except ModuleNotFoundError:
            _describe_missing(command.name, commands)
    return parser


def _describe_missing(name, commands):
    """Add a subcommand of the pipeline that only prints how to install the pipeline."""

    def run(arguments):
        remedy = "clone the repository and run `make .venv/.installed`"
        print(f"beyond-accuracy: {name} is a command of the pipeline; {remedy}", file=sys.stderr)
        return 2

    missing = commands.add_parser(name, help="needs a clone of the repository")
    missing.add_argument("arguments", nargs=argparse.REMAINDER)
    missing.set_defaults(run=run)


def _run(arguments):
    module = import_module(f"beyond_accuracy.command_line.{arguments.command}")
    return getattr(module, arguments.command)(arguments)


def _describe_train(commands, style):
    train = commands.add_parser(
        "train", help="train a model", description=_TRAIN, epilog=_TRAIN_EXAMPLE, **style
    )
    train.add_argument("data", metavar="train.svm", help="training examples")
    train.add_argument("model", metavar="model.json", help="where to write the model")
    train.add_argument(
        "--measure", type=_measure, default="f1", help="what to optimize (default: f1)"
    )
    train.add_argument(
        "-C",
        type=_positive,
        help="weight of the loss, as in SVM-perf, which is n/100 times LIBLINEAR's for accuracy "
        "(default: a hundredth of the number of examples)",
    )
    train.add_argument(
        "--tol",
        type=_positive,
        default=1e-3,
        help="largest duality gap, as a share of what the fit can gain (default: 0.001)",
    )
    train.add_argument(
        "--max-iter", type=_count, default=10_000, help="most iterations (default: 10000)"
    )
    train.add_argument(
        "--at-most-k",
        action=argparse.BooleanOptionalAction,
        help="for recall_at_<k>: admit labellings with fewer than k predicted positives, as "
        "SVM-perf does and is the default, or only with exactly k",
    )
    train.add_argument(
        "--no-intercept", dest="fit_intercept", action="store_false", help="force f(0) = 0"
    )
    train.add_argument(
        "--no-line-search",
        dest="line_search",
        action="store_false",
        help="run the cutting-plane algorithm of Joachims (2005) unaltered",
    )
    train.add_argument("--quiet", action="store_true", help="no progress, only warnings")
    train.set_defaults(run=_run)


def _describe_predict(commands, style):
    predict = commands.add_parser(
        "predict", help="apply a model", description=_PREDICT, epilog=_PREDICT_EXAMPLE, **style
    )
    predict.add_argument("data", metavar="test.svm", help="examples")
    predict.add_argument("model", metavar="model.json", help="model written by train")
    predict.add_argument(
        "predictions",
        metavar="predictions.txt",
        nargs="?",
        help="where to write the decision values (default: standard output)",
    )
    predict.add_argument("--quiet", action="store_true", help="print no measures")
    predict.set_defaults(run=_run)


def _describe_compare(commands, style):
    compare = commands.add_parser(
        "compare",
        help="say which method to use on a file",
        description=_COMPARE,
        epilog=_COMPARE_EXAMPLE,
        **style,
    )
    describe_table(compare)
    compare.add_argument(
        "--measure",
        action="append",
        type=_criterion,
        help="what to compare by, a measure or cost; may be repeated (default: cost with --costs, "
        "f1 without)",
    )
    compare.add_argument(
        "--costs",
        nargs=2,
        type=_cost,
        metavar=("FP", "FN"),
        help="costs of a false alarm and of a missed positive: numbers, or columns that hold the "
        "cost of each row",
    )
    _add_repeatable(
        compare,
        "--estimator",
        "CLASS",
        "import path of a classifier to compare, built with its defaults behind imputation, "
        "encoding and scaling (default: the classifiers above)",
    )
    compare.add_argument(
        "--output",
        metavar="FOLDER",
        default="comparison",
        help="folder of the page and of scores.csv (default: comparison)",
    )
    compare.add_argument("--seed", type=_seed, default=0, help="of folds and fits (default: 0)")
    compare.add_argument("--jobs", type=_count, help="fits at a time (default: one a core)")
    compare.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        help="open the page in the browser (default: where the table is printed on a terminal)",
    )
    compare.add_argument("--quiet", action="store_true", help="no progress bar")
    compare.set_defaults(run=_run)


def describe_table(command: argparse.ArgumentParser) -> None:
    """Add arguments for a data file and the roles of its columns to a subcommand."""
    command.add_argument("data", metavar="data", help="the file")
    command.add_argument("--target", help="column to predict (none for SVMlight)")
    for name, metavar, text in _ROLES:
        _add_repeatable(command, name, metavar, text)


def _add_repeatable(command, name, metavar, text):
    command.add_argument(
        name, action="append", default=[], metavar=metavar, help=f"{text}; may be repeated"
    )


def _measure(name):
    from beyond_accuracy.measures import get_measure

    try:
        return get_measure(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _cost(text):
    try:
        float(text)
    except ValueError:
        return text
    return _positive(text)


def _criterion(name):
    return name if name == "cost" else _measure(name).name


def _number(kind, expected, largest=sys.float_info.max, least=5e-324):
    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not least <= value <= largest:
            raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}")
        return value

    return parse


_positive = _number(float, "a number above 0")
_count = _number(int, "a whole number from 1")
_seed = _number(int, "a whole number from 0 to 4294967295", 2**32 - 1, 0)
