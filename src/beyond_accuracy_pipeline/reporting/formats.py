"""Numbers as text for readers; a missing number is "n/a" or an empty text."""

from collections.abc import Callable, Iterable, Mapping

import pandas as pd

UNAVAILABLE = "n/a"


def percent(value: float, *, sign: bool = False) -> str:
    """Show a fraction as a percentage with two decimals."""
    if pd.isna(value):
        return UNAVAILABLE
    return _plain(f"{100 * value:{'+' if sign else ''}.2f}")


def percent_change(value: float) -> str:
    """Show a difference of fractions in percentage points, with its sign."""
    return percent(value, sign=True)


def percent_interval(low: float, high: float, *, sign: bool = False) -> str:
    """Show an interval of fractions as percentages with one decimal, empty if it is missing."""
    if pd.isna(low) or pd.isna(high):
        return ""
    plus = "+" if sign else ""
    return f"[{100 * low:{plus}.1f}, {100 * high:{plus}.1f}]".replace("-", "−")


def decimals(digits: int) -> Callable[[float], str]:
    """Return a form with a fixed number of decimals."""
    return lambda value: UNAVAILABLE if pd.isna(value) else _plain(f"{value:,.{digits}f}")


def scientific(value: float) -> str:
    """Show a number of any magnitude with two significant digits."""
    return UNAVAILABLE if pd.isna(value) else f"{value:.1e}".replace("-", "−")


def significant(value: float) -> str:
    """Show a number of any kind with four significant digits, large ones as whole ones."""
    return UNAVAILABLE if pd.isna(value) else _plain(_four_digits(value))


def change(value: float, of: float) -> str:
    """Show a difference from a number with its sign, in four decimals if that is a share."""
    if pd.isna(value):
        return UNAVAILABLE
    return _plain(f"{value:+.4f}" if abs(of) <= 1 else _four_digits(value, "+"))


def _four_digits(value: float, sign: str = "") -> str:
    whole = abs(value) >= 9999.5 or value == round(value)
    return f"{value:{sign},.0f}" if whole and abs(value) < 1e15 else f"{value:{sign}.4g}"


def _plain(text: str) -> str:
    """Return a number as text with a minus that is as long as a plus, and none at zero."""
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def seconds(value: float) -> str:
    """Show seconds with three significant digits, thousands separated."""
    if pd.isna(value):
        return UNAVAILABLE
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def count(value: float) -> str:
    """Show a count, or a median of counts, with thousands separated; empty if unknown."""
    return "" if value is None or pd.isna(value) else f"{value:,.1f}".removesuffix(".0")


def text(value: object) -> str:
    """Show a text unchanged, empty if unknown."""
    return "" if value is None or pd.isna(value) else str(value)


def if_known(form: Callable[..., str]) -> Callable[..., str]:
    """Return the form with an empty text instead of "n/a"."""
    return lambda *values: "" if pd.isna(values[0]) else form(*values)


def slashed(*values: float) -> str:
    """Show counts side by side: wins/losses/ties."""
    return UNAVAILABLE if any(map(pd.isna, values)) else "/".join(f"{v:g}" for v in values)


def win_counts(wins: int, losses: int, ties: int) -> str:
    """Show wins/losses/ties, "n/a" if nothing was compared."""
    return slashed(wins, losses, ties) if wins + losses + ties else UNAVAILABLE


def p_value(levels: Mapping[str, float]) -> Callable[[float], str]:
    """Return a form of p-values with the stars of `levels`."""

    def form(value: float) -> str:
        if pd.isna(value):
            return UNAVAILABLE
        return ("<0.0001" if value < 0.0001 else f"{value:.4f}") + stars(value, levels)

    return form


def stars(p_value: float, levels: Mapping[str, float]) -> str:
    """Return the mark of the strictest level that p does not exceed, or an empty string.

    `levels` maps a mark to its level, for instance {"**": 0.01, "*": 0.05}.
    """
    reached = [(level, mark) for mark, level in levels.items() if p_value <= level]
    return min(reached)[1] if reached else ""


def star_note(levels: Mapping[str, float]) -> str:
    """Explain the stars."""
    return ", ".join(f"{mark} p ≤ {level:g}" for mark, level in levels.items())


def join_notes(notes: Iterable[str]) -> str:
    """Join notes that are not empty, sentences or parts of one, by semicolons."""
    return "; ".join(note.removesuffix(".") for note in notes if note)
