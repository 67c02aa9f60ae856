"""Slow weak learners: one object is one copy for one label, with `vote(x)` and `train(x, y, w)`.

Written from the papers, without arrays, running norms or shared computation.
`reading` is how a row is read: plain, smooth (with a bias feature), literal (of norm 1), scaled
(of norm 10, with a bias feature).
"""

import math

from onebit.kernel.rng import key, subkey, uniform

BIASED = ("smooth", "scaled")


def prepare_row(x, reading):
    if reading in ("literal", "scaled"):
        size = math.sqrt(sum(v * v for v in x))
        norm = 10.0 if reading == "scaled" else 1.0
        x = [norm * v / size if size > 0 else 0.0 for v in x]
    return [*x, 1.0] if reading in BIASED else list(x)


def inner(w, x):
    total = 0.0
    for a, b in zip(w, x, strict=True):
        total += a * b
    return total


class Linear:
    """Weights, and votes by margin, cosine or sign.

    The norm of the weights counts the bias and the features that it was trained on, in `seen`,
    which the copies of all labels share.
    """

    def __init__(self, start, reading, columns):
        self.reading, self.seen = reading, set()
        self.w = [*start, 0.0] if reading in BIASED else list(start)

    def vote(self, x):
        x = prepare_row(x, self.reading)
        margin = inner(self.w, x)
        if self.reading == "plain":
            return margin
        if self.reading == "literal":
            return 1.0 if margin >= 0 else -1.0  # sign(0) = +1
        known = [self.w[j] for j in sorted(self.seen)] + [self.w[-1]]
        size = math.sqrt(inner(known, known)) * math.sqrt(inner(x, x))
        # features not trained on yet are in the margin, not in the norm: the cosine is clipped
        return min(1.0, max(-1.0, margin / size)) if size > 0 else 0.0

    def add(self, step, x):
        self.w = [w + step * v for w, v in zip(self.w, x, strict=True)]
        if step != 0:
            self.seen.update(j for j, v in enumerate(x[: len(x) - (self.reading in BIASED)]) if v)

    @property
    def arrays(self):
        biased = self.reading in BIASED
        weights = self.w[:-1] if biased else self.w
        weights = [w if j in self.seen else 0.0 for j, w in enumerate(weights)]
        return {"weights": weights, "bias": self.w[-1] if biased else 0.0}


class Perceptron(Linear):
    def train(self, x, y, weight):
        x = prepare_row(x, self.reading)
        if y * inner(self.w, x) <= 0:
            self.add(y * weight, x)


class Pa(Linear):
    """Crammer et al. 2006, PA-I with C = weight."""

    def train(self, x, y, weight):
        x = prepare_row(x, self.reading)
        loss, size = max(0.0, 1.0 - y * inner(self.w, x)), inner(x, x)
        if size > 0:
            self.add(y * min(weight, loss / size), x)


class Ogd(Linear):
    """Section 3: the reward w y <h, x>, a gradient step, and a projection onto the unit ball."""

    def __init__(self, start, reading, columns):
        super().__init__(start, reading, columns)
        self.squares = 0.0
        self.project()

    def project(self):
        size = math.sqrt(inner(self.w, self.w))
        if size > 1:
            self.w = [w / size for w in self.w]

    def unit(self, x):
        return prepare_row(prepare_row(x, self.reading), "literal")

    def vote(self, x):
        return inner(self.w, self.unit(x))

    def train(self, x, y, weight):
        x = self.unit(x)
        if not any(x):
            return
        self.squares += weight * weight
        self.add(y * weight / math.sqrt(self.squares) if self.squares > 0 else 0.0, x)
        self.project()

    @property
    def arrays(self):
        return {"weight_squares": self.squares}


class Stump:
    """Splits on one feature; changes to a better one on a row in which that is above 0."""

    def __init__(self, start, reading, columns):
        self.reading, self.examples, self.feature = reading, [], None

    def majority(self, on, feature):
        """The sum of y times weight over rows with the feature above 0, or over the others."""
        total, majority = 0.0, 0.0
        for x, s in self.examples:
            total += s
            if feature is not None and x[feature] > 0:
                majority += s
        return majority if on else total - majority

    def vote(self, x):
        majority = self.majority(self.feature is not None and x[self.feature] > 0, self.feature)
        if self.reading == "plain":
            return majority
        if majority == 0:
            return 1.0 if self.reading == "literal" else 0.0
        return math.copysign(1.0, majority)

    def train(self, x, y, weight):
        self.examples.append((x, y * weight))
        for j, value in enumerate(x):
            if value > 0 and (
                self.feature is None or self.split_score(j) > self.split_score(self.feature)
            ):
                self.feature = j

    def split_score(self, j):
        return abs(self.majority(True, j)) + abs(self.majority(False, j))

    @property
    def arrays(self):
        return {"chosen": -1 if self.feature is None else self.feature}


def moments(rows):
    """The weighted mean and variance of (number, weight)."""
    if len({u for u, _ in rows}) < 2:  # all equal: exactly 0, without rounding
        return rows[0][0] if rows else 0.0, 0.0
    total = sum(w for _, w in rows)
    mean = sum(w * u for u, w in rows) / total
    return mean, sum(w * (u - mean) ** 2 for u, w in rows) / total


class NaiveBayes:
    """P(y) prod_c P(x_c | y), from weighted counts with Laplace's correction."""

    def __init__(self, start, reading, columns):
        self.reading, self.examples = reading, {+1: [], -1: []}
        in_columns = {first + j for first, width, _ in columns for j in range(width)}
        single_features = [(j, 1, 2) for j in range(len(start)) if j not in in_columns]
        self.columns = [*columns, *single_features]

    def value(self, x, column):
        first, width, _ = column
        return next((j for j in range(first, first + width) if x[j] > 0), None)

    def log_odds(self, x):
        total = {y: sum(w for _, w in self.examples[y]) for y in self.examples}
        log_odds = math.log(total[+1] + 1) - math.log(total[-1] + 1)
        for column in self.columns:
            if column[2] == 0:
                log_odds += self.normal_log_odds(x[column[0]], column[0])
                continue
            for y in (+1, -1):
                same = self.value(x, column)
                count = sum(w for other, w in self.examples[y] if self.value(other, column) == same)
                log_odds += y * math.log((count + 1) / (total[y] + column[2]))
        return log_odds

    def normal_log_odds(self, value, j):
        """Normal densities; each side starts with one row of the overall mean and variance."""
        sides = {y: [(other[j], w) for other, w in self.examples[y]] for y in self.examples}
        overall_mean, variance = moments(sides[+1] + sides[-1])
        if variance == 0:
            return 0.0
        log_odds = 0.0
        for y, rows in sides.items():
            mean, _ = moments([*rows, (overall_mean, 1.0)])
            total = sum(w for _, w in rows) + 1.0
            v = (
                sum(w * (u - mean) ** 2 for u, w in rows) + (overall_mean - mean) ** 2 + variance
            ) / total
            log_odds += y * -0.5 * (math.log(v) + (value - mean) ** 2 / v)
        return log_odds

    def vote(self, x):
        log_odds = self.log_odds(x)
        return log_odds if self.reading == "plain" else 2 / (1 + math.exp(-log_odds)) - 1

    def train(self, x, y, weight):
        self.examples[int(y)].append((x, weight))

    @property
    def arrays(self):
        return {}


KINDS = {
    "perceptron": Perceptron,
    "pa": Pa,
    "ogd": Ogd,
    "stump": Stump,
    "naive-bayes": NaiveBayes,
}


def copies(name, d, k, n, seed, reading, start, columns=()):
    """Return copy i for label r as [r][i]."""

    def first(r, i):
        if start == "zero":
            return [0.0] * d
        source = subkey(key(seed, "weak start"), r)
        return [2 * uniform(source, j * n + i) - 1 for j in range(d)]

    bank = [[KINDS[name](first(r, i), reading, columns) for i in range(n)] for r in range(k)]
    seen = set()
    for copy in (copy for row in bank for copy in row):
        copy.seen = seen
    return bank


def arrays(bank, prefix):
    """Return the numbers of all copies in the layout of onebit."""
    found = {}
    for name in bank[0][0].arrays:
        table = [[copy.arrays[name] for copy in row] for row in bank]
        if isinstance(table[0][0], list):  # [r][i][j] -> [j][r, i]
            flat = [copy for row in table for copy in row]
            table = [list(column) for column in zip(*flat, strict=True)]
        found[f"{prefix}.{name}"] = table
    return found
