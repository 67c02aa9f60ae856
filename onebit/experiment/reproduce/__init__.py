"""Reproducing papers: their experiments are planned, run, and compared with what was published.

`selection` finds experiments by name, `plan` resolves them into trials, `sections` turns the
results into sections of a report, and `verdict` holds the rule by which a number counts as
reproduced.
"""
