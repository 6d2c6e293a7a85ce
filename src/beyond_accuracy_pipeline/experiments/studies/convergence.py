"""Convergence of several methods that minimize the same cost-sensitive hinge loss.

The objective is ½‖w‖² + ½b² + C·Σ c(y_i)·max(0, 1 − y_i·f(x_i)). The costs c of both classes follow
from a target value of F1. The objective is the same for all methods, so that their curves can be
compared. The methods are BM-ls-CS and BM-nls-CS (bundle method with and without line search, Cheng
et al. 2016) and SVM-CS (LIBLINEAR with class weights).
"""

import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators.cost_sensitive_svc import costs_of_target
from beyond_accuracy.solvers.hinge import BundleMethod, HingePath, HingeProblem
from beyond_accuracy_pipeline.experiments.studies.cells import trainable_tasks
from beyond_accuracy_pipeline.experiments.tasks import first_of_each_class
from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import LiblinearTargetCostSVC
from beyond_accuracy_pipeline.results.columns import Rows

BM_LS_CS, BM_NLS_CS, SVM_CS = "bm_ls_cs", "bm_nls_cs", "svm_cs"


def convergence(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """Record the objective of several SVM solvers after each iteration, for each binary task.

    The solvers minimize the same cost-sensitive hinge loss, whose costs follow from a target value
    of F1, `settings["t"]`. They do so for each C in `settings["C"]`. `settings["selected"]` can map
    tasks to selected values of C, t and mu (a parameter of the bundle method), for one more
    minimization.

    Return (rows, seconds), two lists with one dict per task, C, solver and iteration. `primal` and
    `dual` are the best objectives so far, `visited` is the primal objective at the last point, and
    `bound` is a lower bound on the optimum. `seconds` also has the CPU seconds so far.
    """
    rows: Rows = []
    seconds: Rows = []
    for task in trainable_tasks(data):
        X, positive = data.X_train, task.train
        few = first_of_each_class(positive)
        for line_search in (True, False):
            # Load compiled code before times are measured.
            _bundle(X[few], positive[few], 1.0, line_search, settings)
        cases = [(False, {"C": C}) for C in settings["C"]]
        chosen = settings.get("selected", {}).get(task.name)
        for selected, parameters in cases if chosen is None else [*cases, (True, chosen)]:
            case = {**settings, **parameters}
            C, (missed, false_alarm) = case["C"], costs_of_target(case["t"], 1.0)
            optimum = HingePath(X, positive).solve(C * missed, C * false_alarm, tol=1e-5)
            bound = optimum.dual_objective
            keys = {"data_set": data.name, "task": task.name, "t": case["t"], "C": C}
            keys |= {"selected": selected, "bound": bound}
            for method, steps in (
                (BM_LS_CS, _bundle(X, positive, C, True, case)),
                (BM_NLS_CS, _bundle(X, positive, C, False, case)),
                (SVM_CS, _liblinear(X, positive, C, case, bound)),
            ):
                for step, elapsed in steps:
                    rows.append({**keys, "method": method, **step})
                    seconds.append({**rows[-1], "cpu_seconds": elapsed})
    return rows, seconds


def line_search(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """List the breakpoints of one line search of the bundle method, for each binary task.

    The method is BM-ls-CS of Cheng et al. (2016). The line search is the one in iteration
    `settings["iteration"]`, or in the last iteration if there are fewer.

    Return (rows, []). A row has the number `k` of a breakpoint, and the slopes of the objective
    just `before` and `after` it.
    """
    rows = []
    for task in trainable_tasks(data):
        method = BundleMethod(_problem(data.X_train, task.train, settings), mu=settings["mu"])
        method.solve(settings["C"], tol=settings["tol"], max_iter=settings["iteration"] - 1)
        keys = {"data_set": data.name, "task": task.name}
        keys |= {name: settings[name] for name in ("C", "iteration")}
        rows += [
            {**keys, "k": k, "before": before, "after": after}
            for k, before, after in zip(*method.derivative_along_line(settings["C"]), strict=True)
        ]
    return rows, []


def _bundle(X, positive, C, line_search, settings):
    """Minimize by the bundle method; return a pair (row, CPU seconds so far) per iteration."""
    started = time.process_time()
    problem = _problem(X, positive, settings)
    method = BundleMethod(problem, line_search=line_search, mu=settings["mu"])
    steps = []

    def note(step):
        elapsed = time.process_time() - started
        row = {"iteration": step.iteration, "primal": step.primal, "dual": step.dual}
        steps.append(({**row, "visited": method.visited}, elapsed))

    solution = method.solve(C, callback=note, tol=settings["tol"], max_iter=settings["max_iter"])
    return [({**row, "converged": solution.converged}, elapsed) for row, elapsed in steps]


def _problem(X, positive, settings):
    missed, false_alarm = costs_of_target(settings["t"], 1.0)
    costs = np.where(positive, missed, false_alarm)
    return HingeProblem(X, positive, costs, intercept="regularized")


def _liblinear(X, positive, C, settings, bound):
    """Yield (row, CPU seconds) of fits by LIBLINEAR, each stopped after more rounds."""
    for rounds in settings["liblinear_rounds"]:
        model = LiblinearTargetCostSVC(
            settings["t"], C=C, tol=1e-9, max_iter=rounds, random_state=0
        )
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, positive.astype(np.int64))
        elapsed = time.process_time() - started
        primal = model.objective_
        gap = (primal - bound) / primal
        row = {"iteration": rounds, "primal": primal, "visited": primal}
        yield {**row, "converged": gap <= settings["tol"]}, elapsed
        if gap <= settings["tol"] / 10 or model.n_iter_ < rounds:
            return
