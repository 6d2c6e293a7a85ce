"""Parts of a data set, whose columns stand for the same: they are told by their places."""

from collections.abc import Mapping

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table

# Characters; a feature may have many values.
_SHOWN = 300


def check_alike(tables: Mapping[str, Table], files: Mapping[str, RawFile]) -> None:
    """Raise ParseError for a part that has other features, values of one, or labels than the first.

    Nominal values are codes, so that their order counts as well.
    """
    (first_role, *roles) = tables
    expected = _columns(tables[first_role])
    for role in roles:
        # One file may hold several parts.
        location, there = (
            files[each].location if each in files else each for each in (role, first_role)
        )
        found = _columns(tables[role])
        for number in range(max(len(found), len(expected))):
            ours, theirs = (
                columns[number] if number < len(columns) else "nothing more"
                for columns in (found, expected)
            )
            if ours != theirs:
                raise ParseError(location, None, ours[:_SHOWN], f"{theirs[:_SHOWN]}, as in {there}")


def _columns(table: Table) -> list[str]:
    """Return what each label and each feature is, in words."""
    described = [f"label {name!r}" for name in table.class_names]
    n_features = table.X.shape[1] if table.X.ndim > 1 else 0
    if table.feature_names is None and not table.categories:
        return [*described, f"{n_features} features"]
    for column in range(n_features):
        name = repr(table.feature_names[column]) if table.feature_names else f"{column + 1}"
        values = table.categories.get(column)
        kind = "numbers" if values is None else f"the values {', '.join(values)}"
        described.append(f"feature {name} with {kind}")
    return described
