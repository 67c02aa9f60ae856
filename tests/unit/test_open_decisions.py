"""Open decisions, single and in batches, agree with a plain dict of rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onebit.agent.open_decisions import Open, OpenDecisions
from onebit.kernel.rows import Dense, DenseRows, as_sparse


@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.sampled_from(["single", "batch", "close", "close batch"]),
                       st.integers(0, 6)), max_size=40),
)  # fmt: skip
def test_rounds_that_are_open(most, calls):
    held, expected, last, forgotten = OpenDecisions(most), [], 0, 0
    batches = []
    for call, n in calls:
        if call == "single":
            last += 1
            held.add(last, Open(Dense(np.array([float(last)])), (0, 0, 1.0, 1.0), None, "t"))
            expected.append(last)
        elif call == "batch" and n <= most:
            decisions = np.ones((n, 4))
            rows = DenseRows(np.arange(last + 1.0, last + n + 1.0).reshape(-1, 1))
            batches.append((last + 1, decisions, held.add_batch(last + 1, rows, decisions, None)))
            expected += range(last + 1, last + n + 1)
            last += n
        elif call == "close" and expected:
            number = expected.pop(n % len(expected))
            held.close(number)
        elif call == "close batch" and batches:
            first, decisions, tokens = batches[n % len(batches)]
            rounds = range(first, first + len(decisions))
            found = held.batch(first, decisions, tokens)
            assert (found is not None) == (len(rounds) > 0 and set(rounds) <= set(expected))
            if found is not None:
                held.close_batch(found)
                expected = [number for number in expected if number not in rounds]
        while len(expected) > most:
            forgotten = expected.pop(0)
        assert len(held) == len(expected)
        assert [number for number, _ in held.items()] == expected
        assert all(made.row.values[0] == number for number, made in held.items())
        assert held.forgotten == forgotten


@pytest.mark.parametrize("sparse", [False, True])
def test_the_rows_of_closed_decisions_are_not_kept(sparse):
    held = OpenDecisions(10_000)
    values = np.arange(1.0, 1001.0).reshape(-1, 1)
    rows = as_sparse(DenseRows(values)) if sparse else DenseRows(values)
    decisions = np.column_stack([np.zeros((1000, 2)), np.ones((1000, 2))])
    tokens = held.add_batch(1, rows, decisions, None)
    for number in range(1, 1001):
        if number % 100:
            held.close(number)
    assert [number for number, _ in held.items()] == list(range(100, 1001, 100))
    assert sum(len(batch.decisions) for batch in held._batches) < 20
    for number, each in held.items():
        assert each.row.values.tolist() == [number]
        assert each.token == tokens[16 * (number - 1) : 16 * number]
