"""The benchmark: what a round costs, for every learner, against a hand-written loop and peers.

    python -m bench            a table
    python -m bench --json     one JSON object a line
    python -m bench --write    also refreshes docs/benchmark.md

A room is one file: `kernels` (every learner of the list), `fused` (loops written
by hand), `events` (one decision at a time from Python), `making` (rows), `peers`.
"""
