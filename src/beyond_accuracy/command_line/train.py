"""The command `beyond-accuracy train`: train a model on a data file."""

import sys

import numpy as np

from beyond_accuracy.command_line.model_file import Model, write_model
from beyond_accuracy.command_line.progress import Progress
from beyond_accuracy.command_line.whole_file import check_writable
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import check_features, line_of_row, read_examples
from beyond_accuracy.solvers import make_solver, training_loss
from beyond_accuracy.solvers.multivariate_svm import advice_at_zero

EXIT_NOT_CONVERGED = 3


def train(arguments) -> int:
    """Run `beyond-accuracy train`: train on a data file and write the model to a file.

    Return the exit status, which is 3 if the training did not converge.
    """
    check_writable(arguments.model)
    X, labels = read_examples(arguments.data)
    check_features(arguments.data, X)
    classes = two_classes(arguments.data, labels)
    positive = labels == classes[1]
    C = len(labels) / 100 if arguments.C is None else arguments.C
    progress = Progress(sys.stderr, arguments.quiet)
    try:
        loss = training_loss(arguments.measure, arguments.at_most_k)
        solver = make_solver(
            X,
            positive,
            arguments.measure,
            at_most_k=arguments.at_most_k,
            fit_intercept=arguments.fit_intercept,
            line_search=arguments.line_search,
        )
        solution = solver.solve(
            C, tol=arguments.tol, max_iter=arguments.max_iter, callback=progress
        )
    except ValueError as error:
        raise FileError(arguments.data, None, str(error)) from error
    finally:
        progress.close()
    model = Model(
        measure=arguments.measure.name,
        C=C,
        tol=arguments.tol,
        at_most_k=getattr(loss, "at_most", False),
        fit_intercept=arguments.fit_intercept,
        classes=classes,
        n_features=X.shape[1],
        intercept=float(solution.w[-1]),
        objective=solution.objective,
        dual_gap=solution.dual_gap,
        n_iter=solution.n_iter,
        converged=solution.converged,
        coefficients=solution.w[:-1],
    )
    write_model(arguments.model, model)
    if not arguments.quiet:
        print(
            f"{X.shape[0]} examples ({np.count_nonzero(positive)} positive), "
            f"{X.shape[1]} features: {solution.n_iter} iterations, "
            f"primal {solution.objective:.8g}, dual {solution.dual_objective:.8g}, "
            f"gap {solution.dual_gap:.2e}, {solution.history[-1].seconds:.2f} s",
            file=sys.stderr,
        )
    if solution.zero_is_optimal:
        advice = advice_at_zero(arguments.measure)
        warn(f"w = 0 is optimal for every -C: predictions are arbitrary; {advice}")
    if not solution.converged:
        remedy = "increase --max-iter, or scale the features to a similar range"
        if solution.n_iter < arguments.max_iter:
            remedy = "rounding lets it shrink no further: scale the features to a similar range"
        warn(
            f"stopped after {solution.n_iter} iterations at a duality gap of "
            f"{solution.dual_gap:.2g} of the objective, more than --tol {arguments.tol:g} allows; "
            f"the model was written; {remedy}"
        )
        return EXIT_NOT_CONVERGED
    return 0


def two_classes(path: str, labels: np.ndarray) -> tuple[float, float]:
    """Return the two labels of a training file, the smaller one first; the larger is positive.

    `labels` holds the label of each example in the file `path`. Raises FileError unless there are
    exactly two labels.
    """
    values, rows = np.unique(labels, return_index=True)
    if len(values) == 1:
        message = f"every label is {values[0]:g}; expected examples of two classes"
        raise FileError(path, None, message)
    if len(values) > 2:
        row = int(np.sort(rows)[2])
        raise FileError(
            path,
            line_of_row(path, row),
            f"found a third label {labels[row]:g}; expected two, the larger one for the "
            "positive class; for several classes train one against the rest",
        )
    return float(values[0]), float(values[1])


def warn(message: str) -> None:
    print(f"beyond-accuracy: warning: {message}", file=sys.stderr)
