"""Open decisions, single and in batches, agree with a plain dict of rounds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from onebit.agent.open_decisions import Open, OpenDecisions
from onebit.kernel.rows import Dense, DenseRows


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
