"""The benchmark: what a round costs, for every learner, against loops by hand and peers.

    python -m bench            a table
    python -m bench --json     one JSON object a line
    python -m bench --write    also refreshes docs/benchmark.md
    python -m bench.scale      BanditBoost at full scale: seconds, memory, growth with N
    python -m bench.parsing    megabytes of text a second

A room is one file: `kernels` (every learner of the list), `by_hand` (loops to compare
with), `events` (one decision at a time from Python), `making` (rows), `peers`; `material`
has the rows, `clock` measures, `page` shows.
"""
