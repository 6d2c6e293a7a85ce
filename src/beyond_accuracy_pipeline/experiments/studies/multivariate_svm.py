"""Studies of the multivariate SVM: against the ordinary SVM, and for which classes it can learn."""

import numpy as np
import scipy.sparse

from beyond_accuracy.estimators import CostSensitiveSVC
from beyond_accuracy.solvers import make_solver, training_loss
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import make_oracle
from beyond_accuracy_pipeline.experiments.studies.cells import trainable_tasks
from beyond_accuracy_pipeline.results.columns import Rows


def error_rate(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """Compare the multivariate SVM for the error rate with the ordinary SVM, class by class.

    Both SVMs minimize ½‖w‖² + C·Σ max(0, 1 − y·f(x)) (Joachims 2005, Theorem 2), with the intercept
    as weight of a constant feature. `settings` has C and the relative duality gap `tol` at which to
    stop.

    Return (rows, []). A row has, for one class against the rest, the objectives of both SVMs, the
    distance of their weights, and the number of test examples predicted differently.
    """
    C, tol = settings["C"], settings["tol"]
    rows = []
    for task in trainable_tasks(data):
        sparse = scipy.sparse.issparse(data.X_train)
        algorithm = "coordinate_descent" if sparse else "interior_point"
        n_positives = int(task.train.sum())
        oracle = make_oracle(training_loss("accuracy"), n_positives, len(task.train) - n_positives)
        # `MultivariateSVC` would use an ordinary SVM's solver on documents.
        planes = CuttingPlaneSolver(DataMatrix(data.X_train, task.train, True), oracle)
        multivariate = planes.solve(C * len(task.train) / 100, tol=tol)
        ordinary = CostSensitiveSVC(C=C, tol=tol, algorithm=algorithm)
        ordinary.fit(data.X_train, task.train)
        weights = [multivariate.w, np.append(ordinary.coef_[0], ordinary.intercept_)]
        predictions = [data.X_test @ w[:-1] + w[-1] > 0 for w in weights]
        row = {"data_set": data.name, "task": task.name, "C": C, "algorithm_ordinary": algorithm}
        row["objective_multivariate"] = multivariate.objective
        row["objective_ordinary"] = ordinary.objective_
        row["distance"] = float(np.linalg.norm(weights[0] - weights[1]))
        row["norm"] = float(np.linalg.norm(weights[1]))
        row["n_test"] = len(predictions[0])
        row["n_different"] = int((predictions[0] != predictions[1]).sum())
        rows.append(row)
    return rows, []


def learnable(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """Find out for which classes a multivariate SVM can learn a measure.

    It cannot if w = 0 is the optimum of the training problem for every C. `settings["measures"]`
    lists the measures.

    Return (rows, []). A row has the answers for one class against the rest and one measure, with
    and without intercept.
    """
    rows = []
    for task in trainable_tasks(data):
        for measure in settings["measures"]:
            row = {"data_set": data.name, "task": task.name, "measure": measure}
            row |= {"n_train": len(task.train), "n_train_positives": int(task.train.sum())}
            for name, intercept in (("learnable", True), ("learnable_without_intercept", False)):
                solver = make_solver(data.X_train, task.train, measure, fit_intercept=intercept)
                row[name] = not solver.solve(1.0).zero_is_optimal
            rows.append(row)
    return rows, []
