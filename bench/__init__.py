"""The benchmark: the time of a round, for every learner, loops written by hand and peers.

    python -m bench            a table
    python -m bench --json     one JSON object a line
    python -m bench --write    also refreshes docs/benchmark.md
    python -m bench.scale      BanditBoost at full scale: seconds, memory, growth with N
    python -m bench.parsing    megabytes of text a second

One file is one kind of case: `kernels` (every learner of the list), `by_hand` (fused loops
to compare with), `events` (one decision at a time from Python), `row_making` and `peers`.
`datasets` has the rows, `timing` measures, `page` formats the results.
"""
