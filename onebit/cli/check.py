"""`onebit check`: the contract of all learners, tested on one."""

from __future__ import annotations

import click

from onebit.cli.output import echo
from onebit.errors import BadInput


@click.command("check")
@click.argument("learner")
def check_command(learner: str) -> None:
    """Test a LEARNER against the contract of all learners."""
    from onebit import checks, learners

    kind = learners.find(learner)
    broken = 0
    for law in checks.laws_for(kind):
        try:
            law(kind)
        except checks.Broken as why:
            broken += 1
            echo(f"BROKEN  {law.__name__}: {why}")
        else:
            echo(f"holds   {law.__name__}")
    if broken:
        raise BadInput(f"{kind.__name__}: {broken} laws of the contract are broken.")
