"""Dual of the cutting-plane model, a concave quadratic over a simplex, solved exactly.

maximize  b·α − ½ αᵀGα   subject to  α ≥ 0,  Σα = C

G is the Gram matrix and b the offsets of the cutting planes. The method is a primal active-set
method like Wolfe's (1976). The support is the set of planes with α > 0, and one of them is the
base. The Gram matrix of the differences to the base is positive definite. Its Cholesky factor is
updated when planes enter or leave. A plane that depends affinely on the support enters along the
direction of zero curvature.
"""

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part

_FAST = {"reassoc", "contract", "nsz"}
_ROUNDING = 1e-14
_REFACTOR_EVERY = 30
_TOLERANCE = 1e-13


@compiled_part(fastmath=_FAST)
def _solve_lower(factor, size, x):
    for i in range(size):
        total = 0.0
        for j in range(i):
            total += factor[i, j] * x[j]
        x[i] = (x[i] - total) / factor[i, i]


@compiled_part(fastmath=_FAST)
def _solve_upper(factor, size, x):
    for i in range(size - 1, -1, -1):
        x[i] /= factor[i, i]
        value = x[i]
        for j in range(i):
            x[j] -= factor[i, j] * value


@compiled_part
def _append(factor, size, gram, base, support, plane):
    """Add a row to the Cholesky factor; return False if the plane depends on the support."""
    row, products = factor[size], gram[plane]
    cross, square = products[base], gram[base, base]
    for i in range(size):
        j = support[i]
        row[i] = products[j] - gram[j, base] - cross + square
    _solve_lower(factor, size, row)
    rest = products[plane] - 2.0 * cross + square
    for i in range(size):
        rest -= row[i] * row[i]
    if rest <= _ROUNDING * (products[plane] + 2.0 * abs(cross) + square):
        return False
    row[size] = np.sqrt(rest)
    return True


@compiled_part(fastmath=_FAST)
def _drop(factor, size, support, leaving):
    """Remove the plane at position `leaving` from support and factor; return the new size."""
    for i in range(leaving + 1, size):
        for j in range(i + 1):
            factor[i - 1, j] = factor[i, j]
        support[i - 1] = support[i]
    for j in range(leaving, size - 1):
        radius = np.hypot(factor[j, j], factor[j, j + 1])
        cosine = factor[j, j] / radius
        sine = factor[j, j + 1] / radius
        for i in range(j, size - 1):
            left = factor[i, j]
            right = factor[i, j + 1]
            factor[i, j] = cosine * left + sine * right
            factor[i, j + 1] = cosine * right - sine * left
    return size - 1


@compiled_part
def _move(alpha, base, support, size, direction, longest):
    """Move α by the longest feasible step along a direction of zero sum.

    Return (step, position of the plane whose α becomes 0). The position is −1 if no α becomes 0,
    and `size` for the base. `direction` gets the entry of the base as its last one.
    """
    support[size], direction[size] = base, 0.0
    for i in range(size):
        direction[size] -= direction[i]
    step, blocking = longest, -1
    for i in range(size + 1):
        if direction[i] < 0.0 and alpha[support[i]] <= -step * direction[i]:
            step, blocking = -alpha[support[i]] / direction[i], i
    if step < np.inf:
        for i in range(size + 1):
            alpha[support[i]] = max(alpha[support[i]] + step * direction[i], 0.0)
    if blocking >= 0:
        alpha[support[blocking]] = 0.0
    return step, blocking


@compiled
def _refactor(gram, n_planes, alpha, base, support, factor, direction):
    """Rebuild the Cholesky factor; return (base, number of other planes in the support).

    The support is the planes with α > 0. If `base` is −1, the base becomes the zero plane if its α
    is above 0, since differences to zero are exact, or else the plane with the largest α. If a
    plane depends on the others, α moves, with Σ α_j·a_j unchanged, until some α_j becomes 0.
    """
    wanted, size = base, 0
    # Each pass except the last removes one plane.
    for _ in range(n_planes + 1):
        base, size = max(wanted, 0), 0
        if wanted < 0 and not alpha[0] > 0.0:
            for plane in range(n_planes):
                base = plane if alpha[plane] > alpha[base] else base
        independent = True
        for plane in range(n_planes):
            if plane == base or not alpha[plane] > 0.0:
                continue
            support[size] = plane
            independent = _append(factor, size, gram, base, support, plane)
            if not independent:
                break
            size += 1
        if independent:
            break
        for i in range(size):
            direction[i] = factor[size, i]
        _solve_upper(factor, size, direction)
        direction[size] = -1.0
        for _ in range(2):
            step, _ = _move(alpha, base, support, size + 1, direction, np.inf)
            if step > 0.0:
                break
            # The requested base has no α to give, so it takes some.
            for i in range(size + 1):
                direction[i] = -direction[i]
    return base, size


@compiled_part(fastmath=_FAST)
def _gradient(gram, offsets, n_planes, alpha, base, support, size, gradient):
    # Rows of the Gram matrix instead of its columns: memory is read in order.
    for j in range(n_planes):
        gradient[j] = offsets[j] - alpha[base] * gram[base, j]
    for i in range(size):
        plane = support[i]
        for j in range(n_planes):
            gradient[j] -= alpha[plane] * gram[plane, j]


@compiled
def _solve(
    gram, n_planes, alpha, base, support, factor, direction, size, offsets, bound, gradient, tried,
    inside,
):  # fmt: skip
    """Maximize from an α with the sum `bound`; return (base, number of others in support, gap).

    The gap is the duality gap relative to the objective. If the factor must be rebuilt for another
    base, the number is −1. The planes in `tried` have not raised the objective since α moved last.
    """
    largest_square = largest_offset = 0.0
    for j in range(n_planes):
        largest_square = max(largest_square, gram[j, j])
        largest_offset = max(largest_offset, abs(offsets[j]))
    gap, blocking = np.inf, 0
    for _ in range(20 * n_planes + 100):
        _gradient(gram, offsets, n_planes, alpha, base, support, size, gradient)
        if blocking < 0:
            # α is optimal on the support.
            level = alpha[base] * gradient[base] / bound
            objective = 0.5 * alpha[base] * (offsets[base] + gradient[base])
            for j in range(n_planes):
                inside[j] = j == base
            for i in range(size):
                j = support[i]
                inside[j] = True
                level += alpha[j] * gradient[j] / bound
                objective += 0.5 * alpha[j] * (offsets[j] + gradient[j])
            noise = 4e-16 * bound * (largest_offset + (bound - alpha[0]) * largest_square)
            entering, highest, overall = -1, -np.inf, -np.inf
            for j in range(n_planes):
                overall = max(overall, gradient[j])
                if gradient[j] > highest and not (tried[j] or inside[j]):
                    highest, entering = gradient[j], j
            gap = max(bound * (overall - level) - noise, 0.0) / max(abs(objective), 1e-300)
            if entering < 0 or bound * (highest - level) <= _TOLERANCE * abs(objective) + noise:
                break
            tried[entering] = True
            if entering == 0:
                # As the base, the zero plane costs no digits.
                return 0, -1, gap
            support[size] = entering
            if not _append(factor, size, gram, base, support, entering):
                # Zero curvature, to rounding: α of the entering plane grows, and the support
                # shrinks until one α reaches zero. The bound on the step keeps rounding errors
                # below the gain.
                cross = abs(gram[entering, base])
                scale = gram[entering, entering] + 2.0 * cross + gram[base, base]
                longest = (highest - level) / (_ROUNDING * scale) if scale > 0.0 else np.inf
                for i in range(size):
                    direction[i] = -factor[size, i]
                _solve_upper(factor, size, direction)
                direction[size] = 1.0
                step, blocking = _move(alpha, base, support, size + 1, direction, longest)
                if step == np.inf:
                    break
                if blocking >= 0 and step > 0.0:
                    for j in range(n_planes):
                        tried[j] = False
                return -1, -1, gap
            size += 1
        for i in range(size):
            direction[i] = gradient[support[i]] - gradient[base]
        _solve_lower(factor, size, direction)
        _solve_upper(factor, size, direction)
        step, blocking = _move(alpha, base, support, size, direction, 1.0)
        if step > 0.0:
            for j in range(n_planes):
                tried[j] = False
        if blocking == size:
            return -1, -1, gap
        if blocking >= 0:
            size = _drop(factor, size, support, blocking)
    return base, size, gap


class QuadraticProgram:
    """Quadratic program: maximize b·α − ½ αᵀGα over vectors α ≥ 0 with Σα = C.

    This is the dual of minimizing ½‖w‖² + C·max_j(b_j + a_j·w) over w. Each function b_j + a_j·w is
    a cutting plane, and α_j is its dual variable. `gram` holds G, the inner products of the a_j,
    and `offsets` holds b. Plane 0 is constant 0. There are at most `capacity` planes. Each call of
    `solve` starts from the previous α.
    """

    def __init__(self, capacity: int):
        self.capacity = capacity
        self.n_planes = 1
        room = min(capacity, 32)
        self.gram = np.zeros((room, room))
        self.offsets = np.zeros(room)
        self.alpha = np.zeros(room)
        self._allocate(room)

    def _allocate(self, room):
        self.gradient = np.zeros(room)
        self._factor = np.zeros((room + 1, room + 1))
        self._direction, self._support = np.zeros(room + 2), np.zeros(room + 2, dtype=np.int64)
        self._tried, self._inside = np.zeros((2, room), dtype=bool)
        self._forget_factor()
        self._solves = 0

    def _forget_factor(self):
        self._base = self._size = -1

    def add(self, products, square, offset):
        """Add the cutting plane offset + a·w, where `square` is ‖a‖².

        `products` are the inner products of a with the gradients of the earlier planes.
        """
        n = self.n_planes
        if n == len(self.offsets):
            more = (0, min(n, self.capacity - n))
            self.gram, self.offsets, self.alpha = (
                np.pad(kept, more) for kept in (self.gram, self.offsets, self.alpha)
            )
            self._allocate(len(self.offsets))
        self.gram[n, :n] = products
        self.gram[:n, n] = products
        self.gram[n, n] = square
        self.offsets[n] = offset
        self.alpha[n] = 0.0
        self.n_planes = n + 1

    def keep(self, kept):
        """Remove all cutting planes except those at `kept`, sorted indices that include 0."""
        m = len(kept)
        self.gram[:m, :m] = self.gram[np.ix_(kept, kept)]
        self.offsets[:m] = self.offsets[kept]
        self.alpha[:m] = self.alpha[kept]
        self.gradient[:m] = self.gradient[kept]
        self.n_planes = m
        self._forget_factor()

    def solve(self, C):
        """Maximize b·α − ½ αᵀGα over α ≥ 0 with Σα = C, and store α in the attribute `alpha`.

        b holds the constants of the cutting planes, and G the inner products of their gradients.
        """
        alpha = self.alpha[: self.n_planes]
        total = alpha.sum()
        if total > 0:
            alpha *= C / total
        else:
            alpha[0] = C
            self._forget_factor()
        self._solves += 1
        if self._solves % _REFACTOR_EVERY == 0:
            self._forget_factor()
        if self._maximize(C) > _TOLERANCE:
            self._forget_factor()
            self._maximize(C)

    def _maximize(self, bound):
        """Maximize the dual objective from the stored α; return the relative duality gap."""
        problem = self.gram, self.n_planes, self.alpha
        arrays = self._support, self._factor, self._direction
        self._tried[:] = False
        gap = np.inf
        for _ in range(20 * self.n_planes + 100):
            if self._size < 0:
                self._base, self._size = _refactor(*problem, self._base, *arrays)
            self._base, self._size, gap = _solve(
                *problem, self._base, *arrays, self._size, self.offsets, float(bound),
                self.gradient, self._tried, self._inside,
            )  # fmt: skip
            if self._size >= 0:
                break
        return gap
