"""Format numbers as text for readers; a missing number becomes "n/a" or an empty text."""

import math
from collections.abc import Callable, Iterable, Mapping

import pandas as pd

UNAVAILABLE = "n/a"


def percent(value: float, *, sign: bool = False, digits: int = 2) -> str:
    """Format a fraction in percent with `digits` decimals, such as "12.34" for 0.1234.

    With `sign`, positive numbers begin with "+". A missing number becomes "n/a".
    """
    if pd.isna(value):
        return UNAVAILABLE
    return _plain(f"{100 * value:{'+' if sign else ''}.{digits}f}")


def percent_change(value: float) -> str:
    """Format a difference of fractions in percentage points, such as "+1.20" for 0.012."""
    return percent(value, sign=True)


def percent_interval(low: float, high: float, *, sign: bool = False) -> str:
    """Format an interval of fractions in percent, such as "[1.5, 2.5]" for 0.015 and 0.025.

    With `sign`, positive ends begin with "+". If an end is missing, return "".
    """
    if pd.isna(low) or pd.isna(high):
        return ""
    plus = "+" if sign else ""
    return f"[{100 * low:{plus}.1f}, {100 * high:{plus}.1f}]".replace("-", "−")


def decimals(digits: int) -> Callable[[float], str]:
    """Return a function that formats numbers with `digits` decimals, and NaN as "n/a"."""
    return lambda value: UNAVAILABLE if pd.isna(value) else _plain(f"{value:,.{digits}f}")


def scientific(value: float) -> str:
    """Format a number with two digits in scientific notation, such as "1.2e−05"."""
    return UNAVAILABLE if pd.isna(value) else f"{value:.1e}".replace("-", "−")


def significant(value: float) -> str:
    """Format a number with four significant digits; whole and large numbers have no decimals."""
    return UNAVAILABLE if pd.isna(value) else _plain(_four_digits(value))


def brief(value: float) -> str:
    """Format a number for a sentence: three significant digits, never in scientific notation."""
    if pd.isna(value) or value == 0 or abs(value) >= 100:
        return significant(value)
    decimal_places = 2 - math.floor(math.log10(abs(value)))
    is_tiny = decimal_places > 5
    return _plain(f"{value:.{decimal_places}f}" if is_tiny else f"{value:.3g}")


def change(value: float, reference: float) -> str:
    """Format `value`, a difference from the number `reference`, with a sign.

    The text has four decimals or, if `reference` is beyond ±1, four significant digits.
    """
    if pd.isna(value):
        return UNAVAILABLE
    return _plain(f"{value:+.4f}" if abs(reference) <= 1 else _four_digits(value, "+"))


def _four_digits(value: float, sign: str = "") -> str:
    whole = abs(value) >= 9999.5 or value == round(value)
    return f"{value:{sign},.0f}" if whole and abs(value) < 1e15 else f"{value:{sign}.4g}"


def _plain(text: str) -> str:
    """Return the text of a number with a typographic minus, and without a sign if it is zero."""
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def seconds(value: float) -> str:
    """Format seconds with three significant digits, and from 1,000 on as a whole number."""
    if pd.isna(value):
        return UNAVAILABLE
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def count(value: float) -> str:
    """Format a count, or a median of counts, with thousands separators; "" if it is missing."""
    return "" if value is None or pd.isna(value) else f"{value:,.1f}".removesuffix(".0")


def text(value: object) -> str:
    """Return a value as text; "" if it is missing."""
    return "" if value is None or pd.isna(value) else str(value)


def if_known(form: Callable[..., str]) -> Callable[..., str]:
    """Return a function like `form` that returns "" if its first argument is NaN or None."""
    return lambda *values: "" if pd.isna(values[0]) else form(*values)


def slashed(*values: float) -> str:
    """Join counts by slashes, such as "3/1/0"; "n/a" if one is missing."""
    return UNAVAILABLE if any(map(pd.isna, values)) else "/".join(f"{v:g}" for v in values)


def win_counts(wins: int, losses: int, ties: int) -> str:
    """Format counts as "wins/losses/ties"; "n/a" if all three are zero."""
    return slashed(wins, losses, ties) if wins + losses + ties else UNAVAILABLE


def p_value(levels: Mapping[str, float]) -> Callable[[float], str]:
    """Return a function that formats p-values with stars, such as "0.0312*".

    `levels` maps stars to the largest p-value that has them, such as {"*": 0.05, "**": 0.01}.
    """

    def form(value: float) -> str:
        if pd.isna(value):
            return UNAVAILABLE
        return ("<0.0001" if value < 0.0001 else f"{value:.4f}") + stars(value, levels)

    return form


def stars(p_value: float, levels: Mapping[str, float]) -> str:
    """Return the stars of a p-value, such as "**", or "" if it is not significant.

    `levels` maps stars to the largest p-value that has them, such as {"*": 0.05, "**": 0.01}.
    """
    reached = [(level, mark) for mark, level in levels.items() if p_value <= level]
    return min(reached)[1] if reached else ""


def star_note(levels: Mapping[str, float]) -> str:
    """Return a note on stars: "** p ≤ 0.01, * p ≤ 0.05" for `levels` {"**": 0.01, "*": 0.05}."""
    return ", ".join(f"{mark} p ≤ {level:g}" for mark, level in levels.items())


def join_notes(notes: Iterable[str]) -> str:
    """Join the notes that are not empty by semicolons, without their full stops."""
    return "; ".join(note.removesuffix(".") for note in notes if note)
